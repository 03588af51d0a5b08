#include "finding_rows.hpp"

namespace electret::test {

#define CAMERA \
  "[[camera]]\nname = \"desk\"\nposition = [0, -1, 1]\ntowards = [0, 1, -1]\nfocal_length = 900\n"
#define OTHER_BALL "[[body]]\nname = \"b\"\nmesh = \"square.obj\"\nmass = 1.0\ntranslate = [0.0, 0.0, 9.0]\n"
#define BALLS OTHER_BALL "[[ball_contact]]\n"

std::vector<FindingRow> camera_findings() {
  return {
      {"", "@[[camera]]\nposition = [0, -1, 1]\ntowards = [0, 1, -1]\nfocal_length = 900\n",
       "\"name\" is missing in [[camera]]"},
      {"", "@[[camera]]\nname = \"a\"\ntowards = [0, 1, -1]\nfocal_length = 900\n",
       "\"position\" is missing in [[camera]]"},
      {"", "@[[camera]]\nname = \"a\"\nposition = [0, 1, -1]\nfocal_length = 900\n",
       "\"towards\" is missing in [[camera]]"},
      {"", "@[[camera]]\nname = \"a\"\nposition = [0, 1, -1]\ntowards = [0, 0, 1]\nup = [0, 1, 0]\n",
       "\"focal_length\" is missing in [[camera]]"},
      {"", CAMERA "zoom = @0\n", "out of range; allowed: number > 0"},
      {"", CAMERA "rotate = [0, @inf, 0]\n", "not a finite number"},
      {"", CAMERA "up = @[0, 0, 0]\n", "\"up\" = [0, 0, 0]"},
      {"", CAMERA "up = @[0, -2, 2]\n", "\"up\" is along \"towards\""},
      {"", "[[camera]]\nname = \"a\"\nposition = [0, 0, 1]\ntowards = @[0, 0, 0]\nfocal_length = 900\n",
       "\"towards\" = [0, 0, 0]"},
      {"",
       CAMERA "[[camera]]\nname = @\"desk\"\nposition = [0, 0, 1]\ntowards = [0, 1, 0]\nfocal_length = 1\n",
       "two cameras are called \"desk\""},
  };
}

std::vector<FindingRow> ball_findings() {
  return {
      {"", OTHER_BALL "@[[ball_contact]]\nradius = 1\nstiffnesses = [1, 2]\n",
       "\"bodies\" is missing in [[ball_contact]]"},
      {"", BALLS "bodies = @[\"a\"]\nradius = 1\nstiffnesses = [1]\n", "\"bodies\" has 1 name; allowed: two"},
      {"", BALLS "bodies = @[\"a\", \"c\"]\nradius = 1\nstiffnesses = [1, 2]\n",
       "the scene has no body \"c\""},
      {"", BALLS "bodies = @[\"a\", \"b\", \"a\"]\nradius = 1\nstiffnesses = [1, 2, 3]\n",
       "body \"a\" is twice in \"bodies\""},
      {"", BALLS "bodies = [\"a\", \"b\"]\nradius = @0\nstiffnesses = [1, 2]\n", "out of range"},
      {"", BALLS "bodies = [\"a\", \"b\"]\nradius = 1\nstiffnesses = [1, @-2]\n", "out of range"},
      {"", BALLS "bodies = [\"a\", \"b\"]\nradius = 1\nstiffnesses = @[1]\n",
       "\"stiffnesses\" has 1 number; allowed: 2, one for each of \"bodies\""},
      {"", BALLS "bodies = [\"a\", \"b\"]\nradius = 1\nstiffnesses = [1, 2]\nfrictions = @[1, 2, 3]\n",
       "\"frictions\" has 3 numbers; allowed: 2"},
  };
}

}  // namespace electret::test
