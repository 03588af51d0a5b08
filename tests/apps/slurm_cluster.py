"""A cluster of Slurm with one node, this machine, in a folder of its own: its daemons are started by hand and ended with it.

Needs munged, slurmctld and slurmd (Debian: munge, slurmctld, slurmd, slurm-client), and root, as whom the jobs run. Nothing of an
installed cluster is touched: key, sockets, ports and configuration are its own.

    with SlurmCluster(folder) as cluster:
        cluster.call("sbatch", "--wrap=true")
"""

import os
import pathlib
import shutil
import signal
import socket
import subprocess
import time

DAEMONS = ("munged", "slurmctld", "slurmd")
CONFIGURATION = """\
ClusterName=test
SlurmctldHost={host}(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket,cred_expire=5
CredType=cred/munge
SlurmctldPort={ports[0]}
SlurmdPort={ports[1]}
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
MpiDefault=none
ReturnToService=2
KillWait=2
SlurmdTimeout=10
SchedulerParameters=batch_sched_delay=0,sched_interval=2,bf_interval=2
SlurmdParameters=config_overrides
NodeName={host} NodeAddr=127.0.0.1 CPUs=2 RealMemory=4096 State=UNKNOWN
PartitionName=all Nodes={host} Default=YES MaxTime=INFINITE State=UP
"""
# Jobs are followed by their parents: control groups belong to the machine.
CONTROL_GROUPS = "CgroupPlugin={}\n"


def why_not():
    """Why no cluster can be started here; empty if one can."""
    missing = [name for name in (*DAEMONS, "sbatch") if program(name) is None]
    if missing:
        return f"Slurm is not installed: there is no {', '.join(missing)}"
    return "" if os.geteuid() == 0 else "a cluster's daemons need root"


def program(name):
    return shutil.which(name, path=f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/local/sbin")


def free_ports(count):
    """Ports that nobody listens at now."""
    sockets = [socket.socket() for _ in range(count)]
    for each in sockets:
        each.bind(("127.0.0.1", 0))
    ports = [each.getsockname()[1] for each in sockets]
    for each in sockets:
        each.close()
    return ports


class SlurmCluster:
    def __init__(self, folder, seconds=600.0):
        self.folder, self.seconds, self.daemons = pathlib.Path(folder), seconds, {}
        self.host = socket.gethostname().split(".")[0]
        self.environment = {**os.environ, "SLURM_CONF": str(self.folder / "slurm.conf")}

    def __enter__(self):
        for name in ("state", "spool"):
            (self.folder / name).mkdir(parents=True)
        self.folder.chmod(0o755)
        (self.folder / "slurm.conf").write_text(CONFIGURATION.format(folder=self.folder, host=self.host, ports=free_ports(2)))
        (self.folder / "cgroup.conf").write_text(CONTROL_GROUPS.format("disabled" if self.version() >= (23, 2) else "cgroup/v1"))
        key = self.folder / "munge.key"
        key.write_bytes(os.urandom(128))
        key.chmod(0o400)
        try:
            self.start("munged", "--foreground", "--force", f"--key-file={key}", f"--socket={self.folder}/munge.socket",
                       f"--pid-file={self.folder}/munge.pid", f"--log-file={self.folder}/munge.log", f"--seed-file={self.folder}/munge.seed")
            self.until(lambda: (self.folder / "munge.socket").exists(), "munged listens")
            self.start("slurmctld", "-D")
            self.start("slurmd", "-D")
            self.until(lambda: "idle" in self.call("sinfo", "--noheader", "--format=%T", check=False), "the node is idle")
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        for name in reversed(DAEMONS):
            self.kill(name, signal.SIGTERM)

    def version(self):
        """Such as (22, 5)."""
        return tuple(int(part) for part in self.call("sbatch", "--version").split()[-1].split(".")[:2])

    def start(self, name, *arguments):
        with open(self.folder / f"{name}.out", "ab") as out:
            self.daemons[name] = subprocess.Popen([program(name), *arguments], env=self.environment, stdin=subprocess.DEVNULL, stdout=out, stderr=out)

    def kill(self, name, number=signal.SIGKILL):
        """Ends a daemon; jobs that slurmd has started go on."""
        process = self.daemons.pop(name, None)
        if process is None:
            return
        process.send_signal(number)
        try:
            process.wait(30)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()

    def call(self, *words, check=True, cwd=None):
        """What one of Slurm's commands prints."""
        done = subprocess.run([program(words[0]), *map(str, words[1:])], env=self.environment, cwd=cwd, capture_output=True, text=True, check=False)
        if check and done.returncode != 0:
            raise RuntimeError(f"{words}: {done.stdout}{done.stderr}\n{self.logs()}")
        return done.stdout

    def shell(self, line, cwd=None):
        """A line that a user gives to a shell."""
        done = subprocess.run(["bash", "-c", line], env=self.environment, cwd=cwd, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise RuntimeError(f"{line}: {done.stdout}{done.stderr}\n{self.logs()}")
        return done.stdout

    def jobs(self):
        """Of each job and task that has not ended: its number, such as "3_0", and its state."""
        return dict(line.split() for line in self.call("squeue", "--noheader", "--array", "--format=%i %T").splitlines())

    def wait(self):
        """Until no job is left."""
        self.until(lambda: not self.jobs(), "all jobs have ended")

    def until(self, happened, what):
        end = time.monotonic() + self.seconds
        while not happened():
            if time.monotonic() > end:
                raise TimeoutError(f"not within {self.seconds:g} s: {what}\n{self.logs()}")
            time.sleep(0.2)

    def logs(self):
        """The ends of the daemons' logs."""
        files = sorted([*self.folder.glob("*.log"), *self.folder.glob("*.out")])
        return "\n".join(f"{file.name}:\n" + "\n".join(file.read_text(errors="replace").splitlines()[-15:]) for file in files)
