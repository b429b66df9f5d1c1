"""Three Slurm nodes on this machine, started and stopped by their process ids."""
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import time

HERE = pathlib.Path(__file__).resolve().parent
PROGRAMS = ("munged", "slurmctld", "slurmd", "sbatch", "squeue", "sinfo", "scancel")
PACKAGES = ("slurmctld", "slurmd", "slurm-client", "munge")
NODES = ("n1", "n2", "n3")


def missing():
    """What a test lacks, after an attempt to install it; empty if nothing."""
    os.environ["PATH"] += ":/usr/sbin:/sbin"
    if os.geteuid() != 0:
        return "it needs root, to start slurmd"
    if all(shutil.which(p) for p in PROGRAMS):
        return ""
    if not shutil.which("apt-get"):
        return f"no apt-get to install {' '.join(PACKAGES)}"
    quiet = {"capture_output": True, "text": True, "env": {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}}
    # A new machine has no lists of packages.
    subprocess.run(["apt-get", "update"], check=False, **quiet)
    done = subprocess.run(["apt-get", "install", "-y", "--no-install-recommends", *PACKAGES], check=False, **quiet)
    if done.returncode:
        return f"cannot install {' '.join(PACKAGES)}: {done.stderr.strip()[-200:]}"
    left = [p for p in PROGRAMS if not shutil.which(p)]
    return f"not there after the installation: {' '.join(left)}" if left else ""


def free_ports(count):
    sockets = [socket.socket() for _ in range(count)]
    for s in sockets:
        s.bind(("127.0.0.1", 0))
    ports = [s.getsockname()[1] for s in sockets]
    for s in sockets:
        s.close()
    return ports


class Cluster:
    def __init__(self, root, cpus):
        self.root, self.processes = pathlib.Path(root), {}
        for folder in ("state", "munge", *(f"spool.{n}" for n in NODES)):
            (self.root / folder).mkdir(parents=True)
        self.root.chmod(0o755)
        text = (HERE / "slurm.conf.in").read_text()
        ports = free_ports(4)
        values = {"ROOT": self.root, "CPUS": cpus, "CONTROLLER": ports[0], "N1": ports[1], "N2": ports[2], "N3": ports[3]}
        for name, value in values.items():
            text = text.replace(f"@{name}@", str(value))
        (self.root / "slurm.conf").write_text(text)
        self.env = {**os.environ, "SLURM_CONF": str(self.root / "slurm.conf")}

    def spawn(self, name, *command):
        log = open(self.root / f"{name}.out", "ab")
        self.processes[name] = subprocess.Popen(command, env=self.env, stdout=log, stderr=log, stdin=subprocess.DEVNULL)

    def start(self):
        key = self.root / "munge/munge.key"
        key.write_bytes(os.urandom(1024))
        key.chmod(0o400)
        at = lambda name: str(self.root / "munge" / name)
        self.spawn("munged", "munged", "--foreground", "--force", "--num-threads=2", f"--key-file={key}",
                   f"--socket={at('munge.socket')}", f"--pid-file={at('munged.pid')}", f"--log-file={at('munged.log')}",
                   f"--seed-file={at('munged.seed')}")
        self.wait(lambda: (self.root / "munge/munge.socket").exists(), "munge")
        self.start_controller()
        for node in NODES:
            self.start_node(node)
        self.wait(lambda: self.idle() == 3, "three idle nodes")

    def start_controller(self):
        self.spawn("slurmctld", "slurmctld", "-D")

    def start_node(self, node):
        self.spawn(node, "slurmd", "-D", "-N", node)

    def idle(self):
        done = subprocess.run(["sinfo", "-h", "-N", "-t", "idle", "-o", "%N"], env=self.env, capture_output=True, text=True)
        return len(done.stdout.split())

    def is_down(self, node):
        done = subprocess.run(["sinfo", "-h", "-n", node, "-o", "%T"], env=self.env, capture_output=True, text=True)
        return done.stdout.startswith("down")

    def wait(self, ready, what, seconds=120):
        end = time.monotonic() + seconds
        while not ready():
            if time.monotonic() > end:
                raise SystemExit(f"slurm-test: no {what} after {seconds} s; see {self.root}")
            time.sleep(0.2)

    def end(self, name, how=signal.SIGTERM):
        process = self.processes.pop(name, None)
        if process:
            process.send_signal(how)
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()

    def of_node(self, node):
        """The processes of a node other than slurmd: steps, workers, solvers."""
        wanted = {f"SLURM_CONF={self.root}/slurm.conf".encode(), f"SLURMD_NODENAME={node}".encode()}
        found = set()
        for entry in pathlib.Path("/proc").iterdir():
            if not entry.name.isdigit():
                continue
            try:
                if wanted <= set((entry / "environ").read_bytes().split(b"\0")):
                    found.add(int(entry.name))
                    parent = int((entry / "stat").read_text().rsplit(")", 1)[1].split()[1])
                    # The step itself has the environment of slurmd.
                    if b"slurmstepd" in pathlib.Path(f"/proc/{parent}/cmdline").read_bytes():
                        found.add(parent)
            except OSError:
                continue
        return sorted(found)

    def workers(self):
        """The processes of `stringent worker`, by node."""
        conf, found = f"SLURM_CONF={self.root}/slurm.conf".encode(), []
        for entry in pathlib.Path("/proc").iterdir():
            if not entry.name.isdigit():
                continue
            try:
                if b"worker" not in (entry / "cmdline").read_bytes().split(b"\0")[1:2]:
                    continue
                environment = (entry / "environ").read_bytes().split(b"\0")
            except OSError:
                continue
            if conf in environment:
                found += [(node, int(entry.name)) for node in NODES if f"SLURMD_NODENAME={node}".encode() in environment]
        return found

    def seconds(self):
        """The CPU time of the daemons so far."""
        stats = [pathlib.Path(f"/proc/{p.pid}/stat").read_text().rsplit(")", 1)[1].split() for p in self.processes.values()]
        return sum(int(s[11]) + int(s[12]) for s in stats) / os.sysconf("SC_CLK_TCK")

    def stop(self):
        subprocess.run(["scancel", f"--user={os.environ.get('USER', 'root')}"], env=self.env, capture_output=True)
        for node in NODES:
            for pid in self.of_node(node):
                kill(pid)
        for name in (*NODES, "slurmctld", "munged"):
            self.end(name)


def kill(pid, how=signal.SIGKILL):
    try:
        os.kill(pid, how)
    except OSError:
        pass
