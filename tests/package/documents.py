"""documents.py FOLDER SOURCES: the installed pages and examples are those of the sources, and each link of a page leads to
something that is installed, too."""

import pathlib
import re
import sys

folder, sources = map(pathlib.Path, sys.argv[1:])
faults = []
for name in ["README.md", "CHANGELOG.md", "LICENSE", *(str(path.relative_to(sources)) for kind in ("docs", "examples")
                                                        for path in sources.glob(f"{kind}/**/*"))]:
    path = pathlib.Path(name)
    if (sources / path).is_dir() or path.name == "CMakeLists.txt" or {"runs", ".ipynb_checkpoints", "__pycache__"} & set(path.parts):
        continue
    if not (folder / path).is_file():
        faults.append(f"{name} is not installed")
    elif (folder / path).read_bytes() != (sources / path).read_bytes():
        faults.append(f"{name} is another one")
for page in [folder / "README.md", *(folder / "docs").glob("*.md")]:
    text = re.sub(r"^```.*?^```", "", page.read_text(), flags=re.MULTILINE | re.DOTALL)
    for link in re.findall(r"\]\(([^)#\s]+)[^)]*\)", text):
        if "://" not in link and not (page.parent / link).exists():
            faults.append(f"{page.relative_to(folder)} leads to {link}, which is not installed")
sys.exit("\n".join(faults) or 0)
