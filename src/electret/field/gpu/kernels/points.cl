/* What becomes of points. */

/* The charges in tree order. */
KERNEL(64) void put_charges(int count, GLOBAL const int* order, GLOBAL const float* charges, GLOBAL float* rows) {
  const int i = GROUP * 64 + LANE;
  if (i < count) rows[4 * i + 3] = charges[order[i]];
}

/* Vectors and charges in tree order, from rows {x, y, z, charge} in the caller's order. */
KERNEL(64) void put_vectors(int count, GLOBAL const int* order, GLOBAL const float4* given, GLOBAL float4* vectors,
                            GLOBAL float4* high) {
  const int i = GROUP * 64 + LANE;
  if (i < count) {
    const float4 row = given[order[i]], at = high[i];
    vectors[i] = (float4)(row.x, row.y, row.z, 0.0f);
    high[i] = (float4)(at.x, at.y, at.z, row.w);
  }
}
