"""Compares the H.264 decoder with FFmpeg on clips of x264; called by Scripts/h264-sweep, which says how it is used."""

import argparse
import concurrent.futures
import dataclasses
import os
import pathlib
import random
import subprocess
import sys
import tempfile
from collections import Counter

import imageio_ffmpeg

FFMPEG = imageio_ffmpeg.get_ffmpeg_exe()
SIZES = ["176x144", "130x98", "18x34", "64x48", "34x18", "98x66", "352x96", "48x64", "16x16", "80x80"]
SOURCES = [
    "testsrc2=s={}:r=25",
    "mandelbrot=s={}:r=25",
    "testsrc2=s={}:r=25,noise=alls=40:allf=t:all_seed=1",
    "testsrc=s={}:r=25,rotate=t,scale=iw:ih",
    "smptebars=s={}:r=25,noise=alls=10:allf=t+u:all_seed=2",
    "life=s={}:r=25:mold=10:seed=3",
    "testsrc2=s={}:r=25,scroll=h=0.03:v=0.02",
    "testsrc2=s={}:r=25,fade=in:0:12",
]
STILL, SHAPES, NOISE, SCROLL, FADE = 0, 1, 2, 6, 7
FORMATS = ["yuv420p", "yuv420p10le", "yuv422p", "yuv422p10le", "yuv444p", "yuv444p10le", "gray", "gray10le"]


@dataclasses.dataclass
class Clip:
    """How x264 makes a clip."""

    name: str
    parameters: str
    format: str = "yuv420p"
    size: str = "176x144"
    source: int = STILL
    frames: int = 12
    options: tuple = ()

    @property
    def dimensions(self):
        """Width and height; those of interlaced frames are whole pairs of macroblock rows of chroma."""
        width, height = map(int, self.size.split("x"))
        if any(key in self.parameters for key in ("tff=1", "bff=1", "fake-interlaced=1")):
            height = (height + 3) // 4 * 4
        return width, height

    def command(self, path):
        width, height = self.dimensions
        return [
            FFMPEG, "-v", "error", "-y", "-f", "lavfi", "-i", SOURCES[self.source].format(f"{width}x{height}"),
            "-frames:v", str(self.frames), "-pix_fmt", self.format, "-c:v", "libx264", "-threads", "1", *self.options,
            "-x264-params", "threads=1:" + self.parameters, "-f", "h264", path,
        ]


def features():
    """Each feature alone."""
    long = "keyint=250:scenecut=0:b-adapt=0:"
    clips = []

    def add(name, parameters="", **rest):
        clips.append(Clip(name, parameters, **rest))

    for profile in ("baseline", "main", "high"):
        add(f"profile-{profile}", options=("-profile:v", profile))
    for count in (0, 1, 2, 3, 5, 8, 16):
        add(f"bframes{count}", f"{long}bframes={count}", frames=24)
    for pyramid in ("none", "strict", "normal"):
        add(f"pyramid-{pyramid}", f"{long}bframes=7:b-pyramid={pyramid}:ref=6", frames=24)
    for direct in ("none", "spatial", "temporal", "auto"):
        for large in (0, 1):
            add(f"direct-{direct}-8x8{large}", f"{long}bframes=3:direct={direct}:8x8dct={large}:ref=4", source=SCROLL)
    for weight in (0, 1):
        add(f"weightb{weight}", f"{long}bframes=3:weightb={weight}:direct=temporal")
    for weight in (0, 1, 2):
        add(f"weightp{weight}", f"{long}weightp={weight}:ref=4", source=FADE, frames=16)
    for count in (1, 2, 3, 5, 8, 16):
        add(f"ref{count}", f"{long}ref={count}:bframes=2", frames=30, source=SCROLL)
    for matrix in ("jvt", "flat"):
        add(f"cqm-{matrix}", f"cqm={matrix}", source=NOISE)
    add("cqm-own", "cqm4=17,20,24,28,20,24,28,30,24,28,30,33,28,30,33,40:8x8dct=1", source=NOISE)
    for count in (1, 2, 3, 8):
        add(f"slices{count}", f"slices={count}")
    add("slices-bytes", "slice-max-size=200", source=NOISE)
    add("slices-macroblocks", "slice-max-mbs=7")
    add("slices-cavlc", "slice-max-mbs=5:cabac=0:bframes=2")
    for alpha, beta in ((-6, -6), (6, 6), (-3, 4), (2, -2), (0, 0)):
        add(f"deblock{alpha}{beta}", f"deblock={alpha},{beta}", source=NOISE)
    add("no-deblock", "no-deblock=1")
    add("partitions-none", "partitions=none")
    add("partitions-all", "partitions=all:subme=9:me=umh", source=SCROLL)
    for coder in (0, 1):
        add(f"constrained-intra-c{coder}", f"constrained-intra=1:bframes=3:cabac={coder}", source=NOISE)
    add("open-gop", "open-gop=1:keyint=6:bframes=3", frames=24)
    add("open-gop-pyramid", "open-gop=1:keyint=5:min-keyint=3:bframes=5:b-pyramid=normal", frames=30)
    for order in ("tff", "bff"):
        for coder in (0, 1):
            name, start = f"{order}-c{coder}", f"{order}=1:cabac={coder}:"
            for direct in ("spatial", "temporal", "none"):
                add(f"{name}-{direct}", f"{start}{long}bframes=3:direct={direct}:ref=4", source=SCROLL, frames=16)
            add(f"{name}-intra", f"{start}keyint=1", source=NOISE)
            add(f"{name}-p", f"{start}bframes=0", source=NOISE)
            add(f"{name}-slices", f"{start}bframes=3:slices=3", source=SCROLL)
            add(f"{name}-noise", f"{start}bframes=3:ref=3", source=NOISE)
            add(f"{name}-small", f"{start}bframes=3:ref=3", source=NOISE, size="34x20")
            add(f"{name}-crop", f"{start}bframes=3:ref=3", source=SCROLL, size="98x68")
    add("fake-interlaced", "fake-interlaced=1:bframes=2")
    for size in SIZES:
        add(f"size{size}", "bframes=2", size=size, source=SCROLL)
    for size in ("17x33", "65x49", "131x99", "15x15"):
        add(f"odd{size}", "bframes=2", size=size, format="yuv444p", source=SHAPES)
    for form in ("yuv420p", "yuv422p", "yuv444p", "gray"):
        for coder in (0, 1):
            name, start = f"lossless-{form}-c{coder}", f"qp=0:cabac={coder}"
            add(name, start, format=form, source=NOISE)
            add(f"{name}-shapes", f"{start}:bframes=3", format=form, source=SHAPES)
            add(f"{name}-8x8", f"{start}:bframes=3:8x8dct=1:partitions=all", format=form)
            add(f"{name}-tff", f"{start}:bframes=3:tff=1:partitions=all", format=form)
    for form in FORMATS[1:]:
        for coder in (0, 1):
            name, start = f"{form}-c{coder}", f"cabac={coder}:"
            add(name, f"{start}bframes=3", format=form, source=NOISE)
            add(f"{name}-tff", f"{start}bframes=3:tff=1:ref=3", format=form, source=SCROLL)
            add(f"{name}-bff", f"{start}bframes=3:bff=1:ref=3:weightp=2", format=form, source=NOISE)
            add(f"{name}-jvt", f"{start}cqm=jvt:8x8dct=1", format=form, source=NOISE)
            add(f"{name}-qp1", f"{start}qp=1", format=form, source=NOISE, size="64x48")
    for form in FORMATS[1:6:2]:
        for quantizer in (0, 63):
            add(f"{form}-qp{quantizer}", f"qp={quantizer}", format=form, source=NOISE)
    for quantizer in (1, 51):
        for coder in (0, 1):
            add(f"qp{quantizer}-c{coder}", f"qp={quantizer}:cabac={coder}", source=NOISE)
    add("qp-range", "qpmin=0:qpmax=69:crf=30:aq-mode=3:aq-strength=3", source=NOISE)
    for mode in (0, 1, 2, 3):
        add(f"aq{mode}", f"aq-mode={mode}:aq-strength=2", source=NOISE)
    for offset in (-12, -5, 5, 12):
        add(f"chroma-qp{offset}", f"chroma-qp-offset={offset}", source=NOISE)
    add("mixed-refs", "mixed-refs=1:ref=5:bframes=3:partitions=all:trellis=2:subme=10", source=SCROLL)
    add("intra-refresh", "intra-refresh=1:keyint=10", frames=24)
    add("ultrafast", options=("-preset", "ultrafast"))
    add("placebo", options=("-preset", "placebo"), size="64x48")
    add("filler", "nal-hrd=cbr:vbv-maxrate=300:vbv-bufsize=300:bitrate=300:filler=1")
    add("pic-struct", "pic-struct=1:bframes=2:aud=1")
    add("frame-packing", "frame-packing=5")
    disc = "bluray-compat=1:tff=1:bframes=3:keyint=8:open-gop=1:slices=4:"
    add("disc", disc + "nal-hrd=vbr:vbv-maxrate=3000:vbv-bufsize=3000", frames=24)
    add("long", "keyint=30:bframes=3:ref=3", frames=40, size="64x48", source=SCROLL)
    return clips


def combination(seed):
    """Features at random."""
    dice = random.Random(seed)
    pick = dice.choice
    form = pick(["yuv420p"] * 6 + FORMATS[1:])
    interlaced = pick(["tff=1", "bff=1", "tff=1", "fake-interlaced=1", "aud=1", "aud=1", "aud=1"])
    # x264 predicts inter-coded neighbours in adaptive frames as if they could be used.
    constrained = 0 if interlaced[1:] == "ff=1" else pick([0, 0, 0, 1])
    parts = [
        f"bframes={pick([0, 1, 2, 3, 3, 5, 8, 16])}:b-adapt={pick([0, 0, 1, 2])}",
        f"b-pyramid={pick(['none', 'strict', 'normal', 'normal'])}",
        f"direct={pick(['none', 'spatial', 'spatial', 'temporal', 'temporal', 'auto'])}",
        f"weightb={pick([0, 1])}:weightp={pick([0, 1, 2])}:ref={pick([1, 2, 3, 4, 5, 8, 16])}",
        f"cabac={pick([0, 1])}:8x8dct={pick([0, 1])}:cqm={pick(['flat', 'flat', 'jvt'])}",
        f"partitions={pick(['none', 'all', 'all', 'i4x4', 'p8x8,b8x8', 'i4x4,i8x8,p8x8,p4x4,b8x8'])}",
        f"constrained-intra={constrained}:open-gop={pick([0, 1])}",
        f"keyint={pick([1, 3, 8, 16, 250])}:min-keyint=1:scenecut={pick([0, 40])}",
        interlaced,
        f"chroma-qp-offset={dice.randint(-12, 12)}:subme={dice.randint(0, 10)}:me={pick(['dia', 'hex', 'umh'])}",
        f"trellis={pick([0, 1, 2])}:mixed-refs={pick([0, 1])}:no-fast-pskip={pick([0, 1])}",
        f"deadzone-inter={dice.randint(0, 32)}:deadzone-intra={dice.randint(0, 32)}",
        pick(["no-deblock=1"] + [f"deblock={dice.randint(-6, 6)},{dice.randint(-6, 6)}"] * 9),
    ]
    for key, count in (("cqm4", 16), ("cqm8", 64)):
        if dice.random() < 0.2:
            parts.append(f"{key}=" + ",".join(str(dice.randint(8, 64)) for _ in range(count)))
    slices = [f"slices={dice.randint(2, 8)}", f"slice-max-size={dice.randint(150, 900)}"]
    slices.append(f"slice-max-mbs={dice.randint(2, 20)}")
    parts += [pick(slices)] if dice.random() < 0.5 else []
    parts += ["intra-refresh=1"] if dice.random() < 0.1 else []
    adaptive = f"crf={dice.randint(5, 45)}:aq-mode={pick([0, 1, 2, 3])}:aq-strength={pick([0.5, 1, 3])}:qpmin=0:qpmax=69"
    fixed = f"qp={dice.randint(1, 60 if '10' in form else 51)}"
    parts.append(pick(["qp=0", fixed, fixed, adaptive, adaptive, adaptive]))
    frames, source = dice.randint(6, 24), dice.randrange(len(SOURCES))
    return Clip(f"r{seed}", ":".join(parts), form, pick(SIZES), source, frames)


def expected(path, clip):
    """The frames as FFmpeg decodes them: without vector code, which rounds some scaling matrices otherwise."""
    command = [FFMPEG, "-v", "error", "-cpuflags", "0", "-threads", "1", "-i", path, "-fps_mode", "passthrough"]
    samples = subprocess.run([*command, "-f", "rawvideo", "-"], capture_output=True, check=True).stdout
    if not clip.format.startswith("gray"):
        return samples
    # Grey pictures come with planes of chroma.
    width, height = clip.dimensions
    size = 2 if "10" in clip.format else 1
    luma, chroma = width * height * size, 2 * ((width + 1) // 2) * ((height + 1) // 2) * size
    return b"".join(samples[start : start + luma] for start in range(0, len(samples), luma + chroma))


def decoded(path, clip, tool):
    """The frames as the tool decodes them, and what it says."""
    goal = path + ".y4m"
    run = subprocess.run([tool, "decode", path, "-o", goal, "--force"], capture_output=True, text=True, timeout=120)
    if run.returncode != 0:
        return b"", f"status {run.returncode}: {run.stderr.strip()[-300:]}"
    data = pathlib.Path(goal).read_bytes()
    start, frames = data.index(b"\n") + 1, []
    header = data[:start].split()
    if header[1:3] != [b"W%d" % clip.dimensions[0], b"H%d" % clip.dimensions[1]]:
        return b"", f"another size: {header}"
    size = len(expected_frame(clip))
    while start < len(data):
        begin = data.index(b"\n", start) + 1
        frames.append(data[begin : begin + size])
        start = begin + size
    return b"".join(frames), run.stderr.strip()[-300:]


def expected_frame(clip):
    """As many bytes as a frame has."""
    width, height = clip.dimensions
    halves = {"yuv420p": ((width + 1) // 2) * ((height + 1) // 2), "yuv422p": ((width + 1) // 2) * height}
    chroma = {"gray": 0, "yuv444p": width * height, **halves}[clip.format.removesuffix("10le")]
    return bytes((width * height + 2 * chroma) * (2 if "10" in clip.format else 1))


def is_sound(samples, clip):
    """Whether all samples are of ten bits: FFmpeg's filter of deep samples does not clip everywhere."""
    return "10" not in clip.format or max(samples[1::2], default=0) < 4


def check(clip, folder, tool):
    """What came of a clip: equal, different, not coded or not judged, and why."""
    path = os.path.join(folder, clip.name + ".264")
    encoder = subprocess.run(clip.command(path), capture_output=True, text=True)
    if encoder.returncode != 0:
        return "not coded", (encoder.stderr.strip().splitlines() or [f"status {encoder.returncode}"])[0]
    try:
        ours, said = decoded(path, clip, tool)
    except (subprocess.TimeoutExpired, ValueError) as error:
        return "different", str(error)
    theirs = expected(path, clip)
    if ours == theirs and theirs:
        os.remove(path)
        return "equal", ""
    if not is_sound(theirs, clip):
        return "not judged", "FFmpeg's samples are out of range"
    size = len(expected_frame(clip))
    if len(ours) != len(theirs):
        return "different", f"{len(ours) / size} frames instead of {len(theirs) / size}; {said}"
    first = next(index for index in range(len(ours)) if ours[index] != theirs[index])
    return "different", f"from frame {first // size}, byte {first % size} of {size} on; {said}"


def main():
    parser = argparse.ArgumentParser(prog="Scripts/h264-sweep")
    parser.add_argument("--tool", required=True, help="the program that decodes")
    parser.add_argument("--combinations", type=int, default=200, help="how many random combinations are tried")
    parser.add_argument("--seed", type=int, default=0, help="the seed of the first one")
    parser.add_argument("--keep", default=".build/h264-sweep", help="where clips that differ are kept")
    parser.add_argument("names", nargs="*", help="the clips to try (default: all)")
    given = parser.parse_args()
    known = features()
    clips = known + [combination(given.seed + index) for index in range(given.combinations)]
    clips = [clip for clip in clips if not given.names or clip.name in given.names]
    counts, untested = Counter(), 0
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for clip, (result, why) in zip(clips, pool.map(lambda clip: check(clip, folder, given.tool), clips)):
            counts[result] += 1
            untested += result == "not coded" and clip in known
            if result == "equal":
                continue
            print(f"{result}: {clip.name} ({clip.format} {clip.size} {clip.parameters}): {why}", flush=True)
            if result == "different":
                goal = pathlib.Path(given.keep)
                goal.mkdir(parents=True, exist_ok=True)
                (goal / f"{clip.name}.264").write_bytes((pathlib.Path(folder) / f"{clip.name}.264").read_bytes())
    print(", ".join(f"{count} {result}" for result, count in counts.most_common()))
    # Combinations may be impossible; a feature that the encoder refuses would be one that nobody tests.
    if counts["different"] or untested or not counts["equal"]:
        sys.exit(1)


main()
