"""
Builds the package on Python's standard library alone: a backend of PEP 517 and, for `pip install --editable`, PEP 660. What it
tells of the package stands in pyproject.toml, which Python reads by itself only from 3.11: so this reads the few lines it has.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import io
import re
import tarfile
import zipfile
from pathlib import Path
from typing import Any, Optional

ROOT = Path(__file__).resolve().parent
SOURCES = ROOT / "src"
PACKAGE = "signed_wallet_client"
LICENSE = ROOT.parent.parent / "LICENSE"
# The same sources make the same bytes: the earliest time that a zip can say.
MOMENT = (1980, 1, 1, 0, 0, 0)


def _project() -> dict[str, str]:
    text = (ROOT / "pyproject.toml").read_text("utf-8").split("[project]\n", 1)[1]
    return {name: value.strip('"') for name, value in re.findall(r"^([\w-]+) = (.*)$", text, re.MULTILINE)}


def _license() -> bytes:
    # Beside this file in a source distribution.
    own = ROOT / "LICENSE"
    return (own if own.exists() else LICENSE).read_bytes()


def _metadata() -> str:
    project = _project()
    classifiers = re.findall(r'"([^"]+)"', project["classifiers"])
    lines = [
        "Metadata-Version: 2.1",
        f"Name: {project['name']}",
        f"Version: {project['version']}",
        f"Summary: {project['description']}",
        "License: MIT",
        *(f"Classifier: {classifier}" for classifier in classifiers),
        f"Requires-Python: {project['requires-python']}",
        "Description-Content-Type: text/markdown",
    ]
    return "\n".join(lines) + "\n\n" + (ROOT / project["readme"]).read_text("utf-8")


def _sources() -> list[tuple[str, bytes]]:
    files = sorted(path for path in (SOURCES / PACKAGE).iterdir() if path.suffix == ".py" or path.name == "py.typed")
    return [(f"{PACKAGE}/{path.name}", path.read_bytes()) for path in files]


def _wheel(folder: str, content: list[tuple[str, bytes]]) -> str:
    name = f"{PACKAGE}-{_project()['version']}"
    about = f"{name}.dist-info"
    tag = "Wheel-Version: 1.0\nGenerator: signed-wallet-client\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    files = [
        *content,
        (f"{about}/LICENSE", _license()),
        (f"{about}/METADATA", _metadata().encode()),
        (f"{about}/WHEEL", tag.encode()),
    ]
    record = "".join(f"{path},sha256={_digest(data)},{len(data)}\n" for path, data in files) + f"{about}/RECORD,,\n"
    wheel = f"{name}-py3-none-any.whl"
    with zipfile.ZipFile(Path(folder) / wheel, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, data in [*files, (f"{about}/RECORD", record.encode())]:
            entry = zipfile.ZipInfo(path, MOMENT)
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, data, zipfile.ZIP_DEFLATED)
    return wheel


def _digest(data: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()


def build_wheel(wheel_directory: str, config_settings: Any = None, metadata_directory: Optional[str] = None) -> str:
    return _wheel(wheel_directory, _sources())


def build_editable(wheel_directory: str, config_settings: Any = None, metadata_directory: Optional[str] = None) -> str:
    """A wheel whose one file leads to the sources."""
    return _wheel(wheel_directory, [(f"{PACKAGE}.pth", f"{SOURCES}\n".encode())])


def build_sdist(sdist_directory: str, config_settings: Any = None) -> str:
    name = f"{PACKAGE}-{_project()['version']}"
    own = [(path, (ROOT / path).read_bytes()) for path in ("README.md", "build_backend.py", "pyproject.toml")]
    sources = [(f"src/{path}", data) for path, data in _sources()]
    files = [("PKG-INFO", _metadata().encode()), ("LICENSE", _license()), *own, *sources]
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for path, data in files:
            entry = tarfile.TarInfo(f"{name}/{path}")
            entry.size = len(data)
            archive.addfile(entry, io.BytesIO(data))
    (Path(sdist_directory) / f"{name}.tar.gz").write_bytes(gzip.compress(packed.getvalue(), mtime=0))
    return f"{name}.tar.gz"
