#pragma once
#error \
    "This is Electret's field library alone (built with ELECTRET_FIELD_ONLY=ON), without scenes and simulations: \
include <electret/field/field.hpp> or <electret/field/solver.hpp>, or install the whole library."
