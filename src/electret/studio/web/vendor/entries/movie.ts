// webm-muxer, for movies. It is loaded when the first one is made.
export { ArrayBufferTarget, Muxer } from "webm-muxer";
