// The shaders. Colours are mixed as the screen has them, so that data colours are exactly those of the legend.

const LIGHT = /* glsl */ `
  float light(vec3 n) {
    return 0.50 + 0.40 * max(0.0, dot(n, vec3(-0.3559, 0.5594, 0.7486))) + 0.14 * max(0.0, n.z);
  }`;

const SCALE = /* glsl */ `
  uniform vec3 stops[5];
  uniform vec2 range;
  uniform vec3 plain;
  uniform float hasValues;
  vec3 colourOf(float value) {
    float t = clamp((value - range.x) / max(range.y - range.x, 1e-37), 0.0, 1.0) * 4.0;
    vec3 c = mix(stops[0], stops[1], clamp(t, 0.0, 1.0));
    c = mix(c, stops[2], clamp(t - 1.0, 0.0, 1.0));
    c = mix(c, stops[3], clamp(t - 2.0, 0.0, 1.0));
    c = mix(c, stops[4], clamp(t - 3.0, 0.0, 1.0));
    return mix(plain, c, hasValues);
  }`;

const HEAD = /* glsl */ `
  precision highp float;
  precision highp int;
  uniform mat4 modelViewMatrix;
  uniform mat4 projectionMatrix;
  in vec3 position;`;

/** Where every vertex begins. */
const MAIN = /* glsl */ `void main() {
    vec4 view = modelViewMatrix * vec4(position, 1.0);
    gl_Position = projectionMatrix * view;`;

const PAINT = /* glsl */ `
  precision highp float;
  out vec4 colour;`;

export const surface = {
  vertex: /* glsl */ `${HEAD}
  in float value;
  out vec3 at;
  out float shown;
  ${MAIN}
    at = view.xyz;
    shown = value;
  }`,
  fragment: /* glsl */ `${PAINT}
  in vec3 at;
  in float shown;
  ${SCALE}${LIGHT}
  void main() {
    vec3 n = normalize(cross(dFdx(at), dFdy(at)));
    colour = vec4(colourOf(shown) * light(n), 1.0);
  }`,
};

/** Discs that look like balls: as large as a ball of `radius` there, and as near to the eye as its front. Small ones have a pale
 * rim, because a dark one would be all that there is of them. */
export const discs = {
  vertex: /* glsl */ `${HEAD}
  uniform float radius;
  uniform float focal;
  uniform vec2 sizes;
  in float value;
  out float shown;
  out float rim;
  ${MAIN}
    shown = value;
    float front = view.z + radius;
    float w = max(-front, 1e-6);
    gl_Position.z = (projectionMatrix[2][2] * front + projectionMatrix[3][2]) / w * gl_Position.w;
    gl_PointSize = clamp(2.0 * radius * focal / max(-view.z, 1e-6), sizes.x, sizes.y);
    rim = 0.12 + 0.33 * clamp((gl_PointSize - 6.0) / 14.0, 0.0, 1.0);
  }`,
  fragment: /* glsl */ `${PAINT}
  in float shown;
  in float rim;
  uniform float signs;
  uniform float threshold;
  ${SCALE}${LIGHT}
  void main() {
    vec2 p = vec2(2.0 * gl_PointCoord.x - 1.0, 1.0 - 2.0 * gl_PointCoord.y);
    float r = dot(p, p);
    if (r > 1.0) discard;
    vec3 n = vec3(p, sqrt(1.0 - r));
    vec3 c = colourOf(shown) * light(n) * (1.0 - rim * smoothstep(0.7, 1.0, r));
    if (signs > 0.5 && abs(shown) > threshold) {
      vec2 q = abs(p);
      bool bar = q.x < 0.56 && q.y < 0.15;
      bool post = shown > 0.0 && q.x < 0.15 && q.y < 0.56;
      float bright = dot(c, vec3(0.299, 0.587, 0.114));
      if (bar || post) c = bright > 0.55 ? vec3(0.08) : vec3(1.0);
    }
    colour = vec4(c, 1.0);
  }`,
};

/** Marks of a size in pixels: 0 a ring, 1 a square with a border, 2 a ball with its sign, 3 hatching that goes on from mark to mark,
 * dark and light beside each other, which is seen on every colour. A ring about a small disc would be a smudge: it is a dot. */
export const marks = {
  vertex: /* glsl */ `${HEAD}
  uniform float size;
  uniform float nearer;
  uniform float radius;
  uniform float focal;
  in float value;
  out float shown;
  out float large;
  ${MAIN}
    shown = value;
    gl_Position.z -= nearer * gl_Position.w;
    gl_PointSize = max(size, 2.8 * radius * focal / max(-view.z, 1e-6));
    large = gl_PointSize > 12.0 ? 1.0 : 0.0;
  }`,
  fragment: /* glsl */ `${PAINT}
  in float shown;
  in float large;
  uniform float size;
  uniform int form;
  uniform vec3 ink;
  uniform vec3 paper;
  uniform vec3 positive;
  uniform vec3 negative;
  ${LIGHT}
  void main() {
    vec2 p = vec2(2.0 * gl_PointCoord.x - 1.0, 1.0 - 2.0 * gl_PointCoord.y);
    float r = dot(p, p);
    if (form == 0) {
      if (r > 1.0 || (large > 0.5 && r < 0.52)) discard;
      colour = vec4(large < 0.5 && r > 0.45 ? paper : ink, 1.0);
    } else if (form == 1) {
      float edge = max(abs(p.x), abs(p.y));
      colour = vec4(edge > 0.62 ? paper : ink, 1.0);
    } else if (form == 3) {
      float t = mod((gl_FragCoord.x + gl_FragCoord.y) / size, 1.0);
      if (r > (large > 0.5 ? 0.6 : 1.0) || t > 0.55) discard;
      colour = vec4(t < 0.33 ? ink : paper, 1.0);
    } else {
      if (r > 1.0) discard;
      vec3 c = shown > 0.0 ? positive : shown < 0.0 ? negative : vec3(0.6);
      c *= light(vec3(p, sqrt(1.0 - r)));
      vec2 q = abs(p);
      if (shown != 0.0 && ((q.x < 0.5 && q.y < 0.12) || (shown > 0.0 && q.x < 0.12 && q.y < 0.5))) c = vec3(1.0);
      if (r > 0.84) c = paper;
      colour = vec4(c, 1.0);
    }
  }`,
};

/** Opaque lines that pale with depth or with the distance from a centre. */
export const lines = {
  vertex: /* glsl */ `${HEAD}
  uniform vec2 pale;
  uniform vec3 centre;
  uniform float about;
  out float far;
  ${MAIN}
    float measure = about > 0.5 ? distance(position, centre) : -view.z;
    far = clamp((measure - pale.x) / max(pale.y - pale.x, 1e-9), 0.0, 1.0);
  }`,
  fragment: /* glsl */ `${PAINT}
  in float far;
  uniform vec3 ink;
  uniform vec3 paper;
  void main() {
    colour = vec4(mix(ink, paper, far), 1.0);
  }`,
};

/** Opaque lines with the colours of a scale. */
export const tinted = {
  vertex: /* glsl */ `${HEAD}
  in float value;
  out float shown;
  void main() {
    shown = value;
    gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
  }`,
  fragment: /* glsl */ `${PAINT}
  in float shown;
  ${SCALE}
  void main() {
    colour = vec4(colourOf(shown), 1.0);
  }`,
};

/** Obstacles: one colour, flat-shaded. */
export const solid = {
  vertex: /* glsl */ `${HEAD}
  out vec3 at;
  ${MAIN}
    at = view.xyz;
  }`,
  fragment: /* glsl */ `${PAINT}
  in vec3 at;
  uniform vec3 ink;
  ${LIGHT}
  void main() {
    colour = vec4(ink * light(normalize(cross(dFdx(at), dFdy(at)))), 1.0);
  }`,
};
