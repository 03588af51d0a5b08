"""Fields: the command's bits, products and adjoints against differences.

Acceptance point 3 (fields), and of 18 that threads change no bit.
"""

import numpy as np
import pytest

import electret as el


@pytest.fixture
def cloud(random):
    return random.uniform(-1, 1, (40, 3)), random.uniform(-1e-6, 1e-6, 40), random.uniform(-2, 2, (15, 3))


@pytest.mark.parametrize("solver, accuracy", [("direct", None), ("direct", 1e-3), ("fmm", 1e-4), ("auto", None)])
def test_the_commands_bits(cloud, tmp_path, command, solver, accuracy):
    positions, charges, at = cloud
    np.savetxt(tmp_path / "q.csv", np.column_stack([positions, charges]), "%.17g", ",", header="x,y,z,q", comments="")
    np.savetxt(tmp_path / "at.csv", at, "%.17g", ",", header="x,y,z", comments="")
    options = ["--solver", solver] + (["--accuracy", accuracy] if accuracy else [])
    for arguments, points in (([], None), (["--at", tmp_path / "at.csv"], at)):
        said = command("field", tmp_path / "q.csv", *arguments, *options, "-o", tmp_path / "out.npy")
        assert said.returncode == 0, said.stderr
        table, result = np.load(tmp_path / "out.npy"), el.field(positions, charges, points, solver=solver, accuracy=accuracy)
        assert np.array_equal(result.field, table[:, :3]) and np.array_equal(result.potential, table[:, 3])
        assert result.choice


def test_threads_and_kept_solvers_change_no_bit(cloud):
    positions, charges, at = cloud
    kept = el.FieldSolver(40, threads=1)
    for points in (None, at, None):
        kept.prepare(positions, points)
        for q in (charges, -charges, charges):
            other = el.field(positions, q, points, threads=3)
            assert np.array_equal(kept.field(q).field, other.field) and np.array_equal(kept.field(q).potential, other.potential)
    assert kept.field(charges, potential=False).potential is None


def difference(function, values, direction, h):
    return (function(values + h * direction) - function(values - h * direction)) / (2 * h)


@pytest.mark.parametrize("apart", [False, True])
@pytest.mark.parametrize("with_w, with_p", [(True, False), (False, True), (True, True)])
def test_adjoint_against_differences(cloud, random, apart, with_w, with_p):
    positions, charges, points = cloud
    charges = charges.copy()
    charges[3] = 0.0
    count = 15 if apart else 40
    w, p = random.normal(size=(count, 3)) if with_w else None, random.normal(size=count) if with_p else None

    def value(positions, charges, points):
        result = el.field(positions, charges, points if apart else None, solver="direct")
        return (0.0 if w is None else (w * result.field).sum()) + (0.0 if p is None else p @ result.potential)

    f = el.FieldSolver(40, solver="direct")
    f.prepare(positions, points if apart else None)
    got = f.adjoint(charges, w, p)
    d, e, c = random.normal(size=(40, 3)), random.normal(size=(15, 3)), random.normal(size=40)
    by_source = difference(lambda x: value(x, charges, points), positions, d, 1e-6)
    assert (got.source_gradient * d).sum() == pytest.approx(by_source, rel=1e-6)
    assert got.charge_gradient @ c == pytest.approx(difference(lambda q: value(positions, q, points), charges, c * 1e-6, 1e-2) * 1e6, rel=1e-8)
    if apart:
        by_target = difference(lambda y: value(positions, charges, y), points, e, 1e-6)
        assert (got.target_gradient * e).sum() == pytest.approx(by_target, rel=1e-6)


def own_gradients(x, q, w, softening):
    """Of Σ w_i·E_i with respect to positions and charges, the targets being the charges: plain sums in long double."""
    x, q, w = (np.asarray(a, np.longdouble) for a in (x, q, w))
    by_position, by_charge = np.zeros_like(x), np.zeros_like(q)
    k = np.longdouble("8987551792.3")
    for i in range(len(x)):
        r = np.delete(x[i] - x, i, 0)
        others = np.delete(np.arange(len(x)), i)
        inverse = 1 / np.sqrt((r * r).sum(1) + np.longdouble(softening) ** 2)
        along = r @ w[i]
        terms = k * q[others][:, None] * (inverse[:, None] ** 3 * w[i] - 3 * (along * inverse**5)[:, None] * r)
        by_position[i] += terms.sum(0)
        by_position[others] -= terms
        by_charge[others] += k * along * inverse**3
    return by_position, by_charge


@pytest.mark.parametrize("options, limit", [(dict(solver="direct"), 1e-12), (dict(solver="direct", accuracy=1e-5), 1e-5),
                                            (dict(solver="direct", accuracy=1e-3), 1e-3), (dict(solver="fmm", accuracy=1e-3), 1e-3),
                                            (dict(solver="fmm", accuracy=1e-6), 1e-6)], ids=str)
@pytest.mark.parametrize("softening", [0.0, 1e-1, 1e-3, 1e-5])
def test_an_adjoint_at_the_charges_has_no_pair_of_a_charge_with_itself(cloud, random, options, limit, softening):
    """Such a pair would add q w/softening³ to one gradient and take it from the other."""
    positions, charges, _ = cloud
    charges = charges.copy()
    charges[3] = 0.0
    w = random.normal(size=(40, 3))
    f = el.FieldSolver(40, softening=softening, **options)
    f.prepare(positions)
    got = f.adjoint(charges, w)
    by_position, by_charge = own_gradients(positions, charges, w, softening)
    assert np.linalg.norm((got.source_gradient - by_position).astype(float)) <= limit * np.linalg.norm(by_position.astype(float))
    assert np.linalg.norm((got.charge_gradient - by_charge).astype(float)) <= limit * np.linalg.norm(by_charge.astype(float))
    assert np.array_equal(got.source_gradient, got.target_gradient)


def test_an_adjoint_of_ddef_is_of_its_own_field(cloud, random):
    positions, charges, _ = cloud
    w, c = random.normal(size=(40, 3)), random.normal(size=40)
    f = el.FieldSolver(40, solver="ddef", softening=0.01, accuracy=1e-8)
    f.prepare(positions)
    by_charge = difference(lambda q: (w * f.field(q).field).sum(), charges, c * 1e-6, 1e-2) * 1e6
    assert f.adjoint(charges, w).charge_gradient @ c == pytest.approx(by_charge, rel=1e-8)


def test_products_against_differences(cloud, random):
    positions, charges, _ = cloud
    z, d, c = random.normal(size=(40, 3)), random.normal(size=(40, 3)), random.normal(size=40)

    def value(x, q):
        return (q[:, None] * z * el.field(x, q, solver="direct").field).sum()

    f = el.FieldSolver(40, solver="direct")
    f.prepare(positions)
    both = f.field_and_products(charges, z)
    assert np.array_equal(both.jacobian_product, f.jacobian_product(charges, z))
    assert np.array_equal(both.charge_gradient, f.charge_gradient(charges, z))
    assert np.allclose(both.field, f.field(charges).field, rtol=1e-12)
    assert (both.jacobian_product * d).sum() == pytest.approx(difference(lambda x: value(x, charges), positions, d, 1e-6), rel=1e-6)
    assert both.charge_gradient @ c == pytest.approx(difference(lambda q: value(positions, q), charges, c * 1e-6, 1e-3) * 1e6, rel=1e-7)


def test_the_true_error(cloud):
    positions, charges, _ = cloud
    field = el.field(positions, charges, solver="direct")
    assert el.verify_field(positions, charges, field.field, potential=field.potential).relative < 1e-13
    wrong = field.field * 1.01
    assert el.verify_field(positions, charges, wrong, samples=7).relative == pytest.approx(0.01, rel=1e-9)


def test_coincident_pairs_are_counted():
    assert el.field([[0, 0, 0], [0, 0, 0], [1, 0, 0]], [1e-9, 1e-9, 1e-9]).coincident_pairs == 2


@pytest.mark.parametrize("options, error", [(dict(solver="gpu"), el.InputError), (dict(solver="x"), el.InputError), (dict(accuracy=2.0), ValueError),
                                            (dict(softening=-1.0), ValueError), (dict(constant=0.0), ValueError), (dict(constant=-1.0), ValueError),
                                            (dict(accuracy=float("nan")), ValueError)])
def test_wrong_options(cloud, options, error):
    with pytest.raises(error):
        el.field(cloud[0], cloud[1], **options)


def test_solvers_before_prepare():
    f = el.FieldSolver(1)
    with pytest.raises(RuntimeError, match="prepare"):
        f.field([1.0])
    f.prepare([[0, 0, 0]], at=[[1, 0, 0]])
    with pytest.raises(ValueError, match="without `at`"):
        f.charge_gradient([1.0], [[0, 0, 0]])


def test_the_true_error_names_its_parts(cloud):
    positions, charges, _ = cloud
    exact = el.field(positions, charges, solver="direct")
    factors = 1.0 + np.linspace(0.0, 1e-2, 40)[::-1]
    error = el.verify_field(positions, charges, exact.field * factors[:, None], potential=exact.potential * 1.02, samples=40)
    assert error.samples == 40 and error.potential == pytest.approx(0.02, rel=1e-9)
    assert error.worst == pytest.approx(1e-2, rel=1e-9) and error.median == pytest.approx(5e-3, rel=0.05)
    assert error.relative == pytest.approx(np.linalg.norm(exact.field * (factors - 1.0)[:, None]) / np.linalg.norm(exact.field), rel=1e-9)


@pytest.mark.parametrize("options", [dict(solver="fmm", accuracy=1e-3), dict(solver="direct", softening=0.2), dict(solver="direct", constant=2.0)],
                         ids=str)
def test_an_adjoint_has_the_solvers_options(cloud, random, options):
    """The potential's part is a field of the cotangents with the same options."""
    positions, charges, _ = cloud
    p = random.normal(size=40)
    f = el.FieldSolver(40, **options)
    f.prepare(positions)
    back = el.field(positions, p, **options)
    assert np.array_equal(f.adjoint(charges, p=p).charge_gradient, back.potential)
    assert not np.array_equal(back.potential, el.field(positions, p, solver="direct").potential)


@pytest.mark.parametrize("apart", [False, True])
def test_a_solver_keeps_no_callers_array(cloud, random, apart):
    """What is changed after `prepare` changes no adjoint."""
    positions, charges, points = cloud
    w, p = random.normal(size=(15 if apart else 40, 3)), random.normal(size=15 if apart else 40)
    x, y = positions.copy(), points.copy()
    f = el.FieldSolver(40, solver="direct")
    f.prepare(x, y if apart else None)
    before = f.adjoint(charges, w, p)
    x += 5.0 * random.normal(size=x.shape)
    y -= 7.0
    assert all(np.array_equal(*pair) for pair in zip(before, f.adjoint(charges, w, p)))
