#!/usr/bin/env python3
"""A bot that tries system calls which only a program written for that makes.

It plays the first legal move. At its first turn it says on stderr of each attempt whether it works:

    attack NAME: works
    attack NAME: denied (why)

Each attempt is made by a child, which may be killed for it, and leaves everything as it was. Linux on x86-64 only.
"""

import ctypes
import errno
import json
import mmap
import os
import signal
import struct
import sys

libc = ctypes.CDLL(None, use_errno=True)

# Numbers of system calls on x86-64.
PTRACE, SHMGET, MQ_OPEN, UNSHARE, KEYCTL, ADD_KEY = 101, 29, 240, 272, 250, 248
PROCESS_VM_READV, KCMP, BPF, USERFAULTFD, PERF_EVENT_OPEN = 310, 312, 321, 323, 298
IO_URING_SETUP, CLONE3, PERSONALITY, SOCKET = 425, 435, 135, 41
MEMFD_CREATE, TIMER_CREATE, CLONE, PRCTL = 319, 222, 56, 157
X32 = 0x40000000


def call(number, *words):
    """Makes a system call; raises an OSError if it fails."""
    words = [ctypes.c_long(word) if isinstance(word, int) else word for word in words]
    result = libc.syscall(ctypes.c_long(number), *words)
    if result == -1:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result


def parent_and_name(pid):
    with open(f"/proc/{pid}/stat") as stat:
        text = stat.read()
    name, rest = text[text.index("(") + 1 :].rsplit(") ", 1)
    return int(rest.split()[1]), name


def rival():
    """The bot of another keeper of the same referee."""
    keeper = os.getppid() if not in_child else bot_parent
    referee, name = parent_and_name(keeper)
    if name != "arbitro-keeper":
        raise OSError(errno.ESRCH, "no referee started this bot")
    parents = {}
    for entry in os.listdir("/proc"):
        try:
            parents[int(entry)] = parent_and_name(int(entry))
        except (ValueError, OSError):
            pass
    keepers = [pid for pid, (parent, name) in parents.items() if parent == referee and name == "arbitro-keeper"]
    return next(pid for pid, (parent, _) in parents.items() if parent in keepers and parent != keeper)


def ptrace():
    seize = 0x4206  # does not stop it, and ends with this child
    call(PTRACE, seize, rival(), 0, 0)


def read_memory():
    byte = ctypes.create_string_buffer(1)
    local = (ctypes.c_ulong * 2)(ctypes.addressof(byte), 1)
    remote = (ctypes.c_ulong * 2)(4096, 1)
    try:
        call(PROCESS_VM_READV, rival(), local, 1, remote, 1, 0)
    except OSError as error:
        # It was let look there; that there is nothing is another matter.
        if error.errno != errno.EFAULT:
            raise


def compare():
    call(KCMP, os.getpid(), rival(), 0, 0, 0)


def signal_by_descriptor():
    """Asks the kernel to send the rival a signal, one that it ignores, whenever a pipe can be read."""
    import fcntl

    read, write = os.pipe()
    fcntl.fcntl(read, fcntl.F_SETSIG, signal.SIGURG)
    fcntl.fcntl(read, fcntl.F_SETOWN, rival())
    fcntl.fcntl(read, fcntl.F_SETFL, os.O_ASYNC)
    os.write(write, b"x")


def timer_that_wakes():
    """Asks for a timer that would wake a frozen process by SIGCONT."""
    event = struct.pack("Qii", 0, signal.SIGCONT, 0) + bytes(48)
    call(TIMER_CREATE, 1, event, ctypes.create_string_buffer(8))


def child_that_wakes():
    """Starts a child at whose end its parent is sent SIGCONT."""
    child = call(CLONE, signal.SIGCONT, 0, 0, 0, 0)
    if child == 0:
        os._exit(0)
    wait_for_all = 0x40000000
    os.waitpid(child, wait_for_all)


def parent_that_wakes():
    """Asks for SIGCONT at the end of its parent."""
    at_death = 1
    call(PRCTL, at_death, signal.SIGCONT, 0, 0, 0)


def io_uring():
    call(IO_URING_SETUP, 1, ctypes.create_string_buffer(120))


def int_80():
    """A 32-bit call: socket by the number that it has there."""
    create = bytes.fromhex(
        "53"  # push rbx
        "b867010000"  # mov eax, 359 (socket)
        "bb01000000"  # mov ebx, AF_UNIX
        "b901000000"  # mov ecx, SOCK_STREAM
        "31d2"  # xor edx, edx
        "cd80"  # int 0x80
        "5b"  # pop rbx
        "c3"  # ret
    )
    memory = mmap.mmap(-1, mmap.PAGESIZE, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    memory.write(create)
    function = ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(memory)))
    result = function()
    if result < 0:
        raise OSError(-result, os.strerror(-result))


def x32():
    call(X32 | SOCKET, 1, 1, 0)


def clone3():
    # Nothing but a plain child; with other flags it would have name spaces of its own, and no filter sees the flags.
    words = struct.pack("QQQQQQQQ", 0, 0, 0, 0, signal.SIGCHLD, 0, 0, 0)
    child = call(CLONE3, ctypes.create_string_buffer(words, 64), 64)
    if child == 0:
        os._exit(0)
    os.waitpid(child, 0)


def new_user_space():
    call(UNSHARE, 0x10000000)


def shared_memory():
    identity = call(SHMGET, 0, 4096, 0o1600)
    libc.shmctl(identity, 0, None)


def message_queue():
    name = b"arbitro-faulty-%d" % os.getpid()
    os.close(call(MQ_OPEN, name, os.O_CREAT | os.O_RDWR, 0o600, None))
    libc.mq_unlink(b"/" + name)


def key():
    call(ADD_KEY, b"user", b"arbitro-faulty", b"x", 1, -1)


def bpf():
    call(BPF, 0, struct.pack("IIII", 2, 4, 4, 1) + bytes(56), 72)


def perf_event():
    # The clock of this process alone, the kernel's part in it left out.
    attributes = struct.pack("IIQQQQQ", 1, 64, 0, 0, 0, 0, 1 << 5 | 1 << 6) + bytes(16)
    call(PERF_EVENT_OPEN, attributes, 0, -1, -1, 0)


def user_fault():
    call(USERFAULTFD, 1)  # only faults of programs, which needs no rights


def personality():
    call(PERSONALITY, 0x0040000)  # no random addresses


def memory_file():
    os.close(call(MEMFD_CREATE, b"arbitro-faulty", 0))


def close_to_others():
    call(PRCTL, 4, 0, 0, 0, 0)  # its memory and files can be seen by root alone then


def vsock():
    import socket

    socket.socket(socket.AF_VSOCK, socket.SOCK_STREAM).close()


ATTEMPTS = [
    ptrace, read_memory, compare, signal_by_descriptor, timer_that_wakes, child_that_wakes, parent_that_wakes, io_uring,
    int_80, x32, clone3, new_user_space, shared_memory, message_queue, key, bpf, perf_event, user_fault, personality,
    memory_file, close_to_others, vsock,
]

in_child, bot_parent = False, os.getppid()


def attempt(function):
    """Makes an attempt in a child; what became of it."""
    global in_child
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        in_child = True
        try:
            function()
            verdict = "works"
        except (OSError, StopIteration) as error:
            verdict = f"denied ({error!r})" if isinstance(error, StopIteration) else f"denied ({error.strerror})"
        os.write(write, verdict.encode())
        os._exit(0)
    os.close(write)
    with os.fdopen(read) as pipe:
        verdict = pipe.read()
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status):
        return f"denied (killed by {signal.Signals(os.WTERMSIG(status)).name})"
    return verdict


def main():
    fresh = True
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "hello":
            print('{"type":"ready"}', flush=True)
        if message["type"] == "turn":
            if fresh:
                for function in ATTEMPTS:
                    print(f"attack {function.__name__.replace('_', '-')}: {attempt(function)}", file=sys.stderr)
                sys.stderr.flush()
            fresh = False
            print(json.dumps({"type": "move", "turn": message["turn"], "move": message["legal"][0]}), flush=True)


main()
