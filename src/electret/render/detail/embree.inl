#pragma once
/// \file
/// Embree 3 or 4, whichever the build found. They differ in the names of their headers and in how a query
/// passes its options.

#if __has_include(<embree4/rtcore.h>)
#include <embree4/rtcore.h>
#else
#include <embree3/rtcore.h>
#endif

namespace electret::render {

#if RTC_VERSION_MAJOR >= 4

/// The first part that each active ray meets. `rays` are coherent: neighbours start and go alike.
inline void intersect(const int* active, RTCScene scene, RTCRayHit8& rays) {
  RTCIntersectArguments arguments;
  rtcInitIntersectArguments(&arguments);
  arguments.flags = RTC_RAY_QUERY_FLAG_COHERENT;
  rtcIntersect8(active, scene, &rays, &arguments);
}

/// Sets `tfar` of each active ray that meets any part to -infinity.
inline void occlude(const int* active, RTCScene scene, RTCRay8& rays) {
  rtcOccluded8(active, scene, &rays);
}

#else

inline void intersect(const int* active, RTCScene scene, RTCRayHit8& rays) {
  RTCIntersectContext context;
  rtcInitIntersectContext(&context);
  context.flags = RTC_INTERSECT_CONTEXT_FLAG_COHERENT;
  rtcIntersect8(active, scene, &context, &rays);
}

inline void occlude(const int* active, RTCScene scene, RTCRay8& rays) {
  RTCIntersectContext context;
  rtcInitIntersectContext(&context);
  rtcOccluded8(active, scene, &context, &rays);
}

#endif

}  // namespace electret::render
