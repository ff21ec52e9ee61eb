# Image files by other people's libraries, and what they see in ours. usage: oracles.py nifti|dicom|series FOLDER, or show FILE
# Beside every file is FILE.txt: a line "x y z value" for each voxel that is not 0, in LPS and mm.
import sys

import numpy as np


def tell(path, array, affine, ras=True):
    """The voxels of an array (i, j, k) with a 4x4 affine, into path or onto the terminal."""
    out = open(path, "w") if path else sys.stdout
    index = np.argwhere(array != 0)
    points = index @ affine[:3, :3].T + affine[:3, 3]
    if ras:
        points[:, :2] *= -1
    for point, at in zip(points, index):
        out.write("%.9g %.9g %.9g %.9g\n" % (*point, array[tuple(at)]))


def rotation(random):
    q, r = np.linalg.qr(random.normal(size=(3, 3)))
    return q * np.sign(np.diag(r))


def nifti(folder):
    import nibabel as nib

    random = np.random.default_rng(1)
    types = "u1 i2 i4 f4 f8 i1 u2 u4 i8 u8".split()
    for number in range(60):
        kind = np.dtype(types[number % 10]).newbyteorder("<>"[number // 10 % 2])
        size = random.integers(1, 9, 3)
        array = (random.random(size) < 0.4) * random.integers(1, 100, size)
        array.flat[random.integers(array.size)] = 1
        affine = np.eye(4)
        affine[:3, :3] = rotation(random) * random.uniform(0.4, 3, 3)
        affine[:3, 3] = random.uniform(-300, 300, 3)
        header = [nib.Nifti1Header, nib.Nifti2Header][number % 2](endianness="<>"[number // 10 % 2])
        header.set_data_dtype(kind)
        header.set_xyzt_units("mm")
        image = [nib.Nifti1Image, nib.Nifti2Image][number % 2](array.astype(kind), affine, header)
        forms = [(1, 1), (2, 0), (0, 1)][number // 20]
        image.set_sform(affine, forms[0])
        image.set_qform(affine, forms[1], strip_shears=True)
        if number % 7 == 3 and number % 2 == 0:
            pair = nib.Nifti1Pair(image.dataobj, None, image.header)
            path = "%s/%d.hdr" % (folder, number)
            nib.save(pair, path.replace(".hdr", ".img"))
            image = nib.load(path.replace(".hdr", ".img"))
        else:
            path = "%s/%d.nii%s" % (folder, number, ".gz" if number % 3 else "")
            nib.save(image, path)
            image = nib.load(path)
        tell(path + ".txt", np.asarray(image.dataobj), image.affine)


def dicom(folder):
    import pydicom
    from pydicom.dataset import Dataset, FileDataset, FileMetaDataset
    from pydicom.sequence import Sequence

    def item(**fields):
        d = Dataset()
        for name, value in fields.items():
            setattr(d, name, Sequence([value]) if isinstance(value, Dataset) else value)
        return d

    random = np.random.default_rng(2)
    for number in range(8):
        path = "%s/%d.dcm" % (folder, number)
        slices, rows, columns = random.integers(2, 9, 3)
        label = random.integers(0, 4, (columns, rows, slices))  # one label per voxel: nothing overlaps
        label[0, 0, 0] = label[-1, 0, -1] = 1
        axes, spacing, origin = rotation(random), random.uniform(0.5, 3, 3), random.uniform(-200, 200, 3)
        axes[:, 2] = np.cross(axes[:, 0], axes[:, 1])
        affine = np.eye(4)
        affine[:3, :3] = axes * spacing
        affine[:3, 3] = origin
        meta = FileMetaDataset()
        meta.MediaStorageSOPClassUID = "1.2.840.10008.5.1.4.1.1.66.4"
        meta.MediaStorageSOPInstanceUID = "1.2.3.%d" % number
        meta.TransferSyntaxUID = pydicom.uid.ImplicitVRLittleEndian if number % 4 == 3 else pydicom.uid.ExplicitVRLittleEndian
        d = FileDataset(path, {}, file_meta=meta, preamble=b"\0" * 128)
        d.is_little_endian, d.is_implicit_VR = True, number % 4 == 3
        d.SOPClassUID, d.SOPInstanceUID, d.Modality = meta.MediaStorageSOPClassUID, meta.MediaStorageSOPInstanceUID, "SEG"
        d.SegmentationType, d.Rows, d.Columns = "BINARY", int(rows), int(columns)
        d.BitsAllocated, d.BitsStored, d.HighBit, d.PixelRepresentation, d.SamplesPerPixel = 1, 1, 0, 0, 1
        d.SegmentSequence = Sequence([item(SegmentNumber=n, SegmentLabel="label %d" % n) for n in (1, 2, 3)])
        decimals = lambda values: ["%.10g" % v for v in values]
        shared = item(
            PlaneOrientationSequence=item(ImageOrientationPatient=decimals([*axes[:, 0], *axes[:, 1]])),
            PixelMeasuresSequence=item(PixelSpacing=decimals([spacing[1], spacing[0]]), SliceThickness="%.10g" % spacing[2]),
        )
        if number % 2:
            shared.PixelMeasuresSequence[0].SpacingBetweenSlices = "%.10g" % spacing[2]
        d.SharedFunctionalGroupsSequence = Sequence([shared])
        frames, bits = [], []
        for n in (1, 2, 3):
            for k in range(slices):
                mask = label[:, :, k].T == n
                if mask.any():
                    frames.append(item(
                        PlanePositionSequence=item(ImagePositionPatient=decimals(origin + axes[:, 2] * spacing[2] * k)),
                        SegmentIdentificationSequence=item(ReferencedSegmentNumber=n)))
                    bits.append(mask.ravel())
        d.PerFrameFunctionalGroupsSequence, d.NumberOfFrames = Sequence(frames), len(frames)
        packed = np.packbits(np.concatenate(bits), bitorder="little").tobytes()
        d.PixelData = packed + b"\0" * (len(packed) % 2)
        d["PixelData"].VR = "OB" if number % 4 != 3 else "OW"
        d.save_as(path, write_like_original=False)
        tell(path + ".txt", label, affine, ras=False)


def series(folder):
    import os

    import pydicom
    from pydicom.dataset import FileDataset, FileMetaDataset

    random = np.random.default_rng(3)
    for number in range(6):
        inside = "%s/%d" % (folder, number)
        os.mkdir(inside)
        columns, rows, slices = (int(n) for n in random.integers(2, 9, 3))
        raw = random.integers(0, 4000, (columns, rows, slices))
        axes, spacing, origin = rotation(random), random.uniform(0.5, 3, 3), random.uniform(-200, 200, 3)
        axes[:, 2] = np.cross(axes[:, 0], axes[:, 1])
        affine = np.eye(4)
        affine[:3, :3] = axes * spacing
        if number % 2:
            affine[:3, 2] += 0.3 * axes[:, 1]  # a tilted gantry
        affine[:3, 3] = origin
        names = random.permutation(slices)
        for k in range(slices):
            meta = FileMetaDataset()
            meta.MediaStorageSOPClassUID = "1.2.840.10008.5.1.4.1.1.2"
            meta.MediaStorageSOPInstanceUID = "1.2.3.%d" % k
            meta.TransferSyntaxUID = pydicom.uid.ImplicitVRLittleEndian if number % 3 == 2 else pydicom.uid.ExplicitVRLittleEndian
            path = "%s/IM%04d" % (inside, names[k])
            d = FileDataset(path, {}, file_meta=meta, preamble=b"\0" * 128)
            d.is_little_endian, d.is_implicit_VR = True, number % 3 == 2
            d.SOPClassUID, d.SOPInstanceUID, d.Modality = meta.MediaStorageSOPClassUID, meta.MediaStorageSOPInstanceUID, "CT"
            d.SeriesInstanceUID, d.Rows, d.Columns, d.SamplesPerPixel = "1.2.%d" % number, rows, columns, 1
            d.BitsAllocated, d.BitsStored, d.HighBit, d.PixelRepresentation = 16, 16, 15, number % 2
            d.ImagePositionPatient = ["%.10g" % v for v in affine[:3, 3] + k * affine[:3, 2]]
            d.ImageOrientationPatient = ["%.10g" % v for v in [*axes[:, 0], *axes[:, 1]]]
            d.PixelSpacing = ["%.10g" % spacing[1], "%.10g" % spacing[0]]
            d.RescaleIntercept, d.RescaleSlope = -1024, 2 if number == 4 else 1
            d.PixelData = raw[:, :, k].T.astype("<u2").tobytes()
            d["PixelData"].VR = "OW"
            d.save_as(path, write_like_original=False)
        tell(inside + ".txt", (2 if number == 4 else 1) * raw - 1024, affine, ras=False)


def show(path):
    import nibabel as nib

    image = nib.load(path)
    tell(None, np.asarray(image.dataobj), image.affine)


{"nifti": nifti, "dicom": dicom, "series": series, "show": show}[sys.argv[1]](sys.argv[2])
