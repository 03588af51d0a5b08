namespace electret {}
