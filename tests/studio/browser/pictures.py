"""Pictures by their structure: what is body and what is ground, its parts and holes, its hues."""

import numpy as np
from scipy import ndimage


def pixels(image):
    return np.asarray(image, dtype=float) / 255.0


def body_mask(image, saturation=0.12):
    """Where the picture has the colours of data: the ground, grids and texts are nearly grey."""
    rgb = pixels(image)
    return rgb.max(axis=2) - rgb.min(axis=2) > saturation


def unlike_ground(image, least=0.1):
    """Where the picture is not what it is in its corner."""
    rgb = pixels(image)
    return np.abs(rgb - rgb[2, 2]).max(axis=2) > least


def parts_and_holes(mask, least=40):
    """How many parts of at least `least` pixels the mask has, and how many holes of that size the largest one has."""
    whole = ndimage.binary_closing(mask, iterations=4)
    labels, number = ndimage.label(whole)
    sizes = ndimage.sum(whole, labels, range(1, number + 1)) if number else []
    parts = [k + 1 for k, size in enumerate(sizes) if size >= least]
    if not parts:
        return 0, 0
    largest = labels == max(parts, key=lambda k: sizes[k - 1])
    holes, number = ndimage.label(ndimage.binary_fill_holes(largest) & ~largest)
    hole_sizes = ndimage.sum(np.ones_like(holes), holes, range(1, number + 1)) if number else []
    return len(parts), sum(size >= least for size in hole_sizes)


def bounding_box(mask):
    """(left, top, right, bottom) as parts of the picture; nothing of an empty mask."""
    rows, columns = np.nonzero(mask)
    if len(rows) == 0:
        return None
    height, width = mask.shape
    return columns.min() / width, rows.min() / height, (columns.max() + 1) / width, (rows.max() + 1) / height


def linear(rgb):
    rgb = np.asarray(rgb, dtype=float)
    return np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)


def oklab(rgb):
    """OKLab of an sRGB colour in 0 … 1 (Ottosson)."""
    lms = np.cbrt(np.array([[0.4122214708, 0.5363325363, 0.0514459929],
                            [0.2119034982, 0.6806995451, 0.1073969566],
                            [0.0883024619, 0.2817188376, 0.6299787005]]) @ linear(rgb))
    return np.array([[0.2104542553, 0.7936177850, -0.0040720468],
                     [1.9779984951, -2.4285922050, 0.4505937099],
                     [0.0259040371, 0.7827717662, -0.8086757660]]) @ lms


def luminance(rgb):
    return float(linear(rgb) @ np.array([0.2126, 0.7152, 0.0722]))


def contrast(one, other):
    """The ratio of the WCAG."""
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def likeness(one, other):
    """Correlation of two pictures, reduced to 64 × 36 greys."""
    a, b = (np.asarray(image.convert("L").resize((64, 36)), dtype=float).ravel() for image in (one, other))
    return float(np.corrcoef(a, b)[0, 1])
