"""Readers that are VTK's own."""

import types

import numpy as np
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkIOXML import vtkXMLUnstructuredGridReader

# VTK's numbers of the kinds of cells.
KINDS = {5: "triangle", 10: "tetra", 12: "hexahedron"}


def read_grid(path):
    """A .vtu: its points, the arrays of points and cells by name, and the vertices of the cells by kind."""
    reader = vtkXMLUnstructuredGridReader()
    reader.SetFileName(str(path))
    reader.Update()
    grid = reader.GetOutput()
    assert reader.GetErrorCode() == 0 and grid.GetNumberOfPoints() > 0, path

    def arrays(data):
        return {data.GetArrayName(k): vtk_to_numpy(data.GetArray(k)).copy() for k in range(data.GetNumberOfArrays())}

    starts = vtk_to_numpy(grid.GetCells().GetOffsetsArray())
    vertices = vtk_to_numpy(grid.GetCells().GetConnectivityArray())
    kinds = np.array([grid.GetCellType(k) for k in range(grid.GetNumberOfCells())])
    cells = {KINDS[kind]: np.array([vertices[starts[k]:starts[k + 1]] for k in np.flatnonzero(kinds == kind)]) for kind in set(kinds.tolist())}
    return types.SimpleNamespace(points=vtk_to_numpy(grid.GetPoints().GetData()).copy(), of_points=arrays(grid.GetPointData()),
                                 of_cells=arrays(grid.GetCellData()), cells=cells)
