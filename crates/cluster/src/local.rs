//! Starts all processes of a run on one machine, and ends them together.
//!
//! A started process listens on a port of loopback that the system chooses and prints its address; then it gets one line
//! with the name of the run, a secret and all addresses. Its standard input stays open: when it closes, the process
//! that started it is gone.

use crate::{Error, Secret, listen};
use std::{
    io::{self, BufRead, BufReader, Read, Write},
    net::TcpListener,
    process::{Child, ChildStdin, Command, ExitStatus, Stdio},
    sync::{
        Arc, Mutex, PoisonError,
        mpsc::{self, Receiver, RecvTimeoutError},
    },
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};
use warpgraph_graph as graph;

/// What a started process prints before its address.
const WORD: &str = "warpgraph-cluster";
/// How long a process may take to say its address.
const SAY: Duration = Duration::from_secs(30);
/// After the first failure, the other processes get this long to end by themselves. A process that is stopped is noticed after
/// five seconds of silence, so all have ended within ten.
const GRACE: Duration = Duration::from_secs(4);
/// How often processes are asked whether they have ended.
const ASK: Duration = Duration::from_millis(10);
/// Bytes of standard error that are kept of a process.
const KEPT: usize = 16 << 10;

/// How a process ended.
#[derive(Debug)]
pub struct Ended {
    /// Its number.
    pub part: usize,
    /// Its process number.
    pub process: u32,
    /// Its exit code or signal.
    pub status: ExitStatus,
    /// True if it did not end in time and was killed.
    pub killed: bool,
    /// Its standard output, without the address.
    pub stdout: Vec<u8>,
    /// The end of its standard error.
    pub stderr: Vec<u8>,
}

struct Process {
    child: Child,
    stdin: Option<ChildStdin>,
    stdout: JoinHandle<Vec<u8>>,
    stderr: Arc<Mutex<Vec<u8>>>,
    address: Receiver<String>,
    killed: bool,
}

impl Drop for Process {
    fn drop(&mut self) {
        // Nothing to do for a process that has ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Runs a command as each part of a run, and waits for all. Returns how they ended, in the order of their ends. When one
/// fails, the others get four seconds; when `stop` says so, all are killed. What part 0 writes to standard error is passed
/// on at once.
///
/// # Errors
///
/// [`graph::Error::Io`] if a process cannot be started.
pub fn run(
    parts: usize,
    command: impl Fn(usize) -> Command,
    stop: impl Fn() -> bool,
) -> Result<Vec<Ended>, Error> {
    let processes = (0..parts).map(|part| start(command(part), part == 0)).collect::<io::Result<Vec<_>>>();
    let mut processes = processes.map_err(|error| graph::Error::io("the processes", "start", error))?;
    let addresses: Vec<String> = processes.iter_mut().map_while(said).collect();
    let told = if addresses.len() == parts { tell(&mut processes, &addresses) } else { Ok(()) };
    told.map_err(|error| graph::Error::io("random numbers of the system", "read", error))?;
    Ok(wait(processes, addresses.len() < parts, &stop))
}

fn start(mut command: Command, passes_on: bool) -> io::Result<Process> {
    let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = piped.spawn()?;
    let (say, address) = mpsc::channel();
    let (out, err) = (child.stdout.take(), child.stderr.take());
    let stdout = thread::spawn(move || out.map_or_else(Vec::new, |out| listen_to(out, &say)));
    let stderr = Arc::new(Mutex::new(Vec::new()));
    let kept = stderr.clone();
    thread::spawn(move || err.map(|err| keep(err, &kept, passes_on)));
    let stdin = child.stdin.take();
    Ok(Process { child, stdin, stdout, stderr, address, killed: false })
}

/// Reads standard output to its end; says the address in its first line.
fn listen_to(out: impl Read, say: &mpsc::Sender<String>) -> Vec<u8> {
    let (mut reader, mut bytes) = (BufReader::new(out), Vec::new());
    let mut line = Vec::new();
    // Reading ends with the process.
    let _ = reader.read_until(b'\n', &mut line);
    match String::from_utf8_lossy(&line).trim().strip_prefix(WORD) {
        Some(address) => drop(say.send(address.trim().to_owned())),
        None => bytes = line,
    }
    let _ = reader.read_to_end(&mut bytes);
    bytes
}

/// Reads standard error to its end, and keeps the last bytes.
fn keep(mut err: impl Read, kept: &Mutex<Vec<u8>>, passes_on: bool) {
    let mut buffer = [0; 1_024];
    while let Ok(count @ 1..) = err.read(&mut buffer) {
        if passes_on {
            let _ = io::stderr().write_all(&buffer[..count]);
        }
        let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.extend_from_slice(&buffer[..count]);
        let over = kept.len().saturating_sub(KEPT);
        kept.drain(..over);
    }
}

/// Returns the address of a process; `None` if it ended or says none.
fn said(process: &mut Process) -> Option<String> {
    let end = Instant::now() + SAY;
    loop {
        match process.address.recv_timeout(ASK) {
            Ok(address) => return Some(address),
            Err(RecvTimeoutError::Disconnected) => return None,
            Err(RecvTimeoutError::Timeout) if Instant::now() > end => return None,
            Err(RecvTimeoutError::Timeout) => {}
        }
    }
}

/// Tells all processes where the others are.
fn tell(processes: &mut [Process], addresses: &[String]) -> io::Result<()> {
    let mut random = [0; 32];
    getrandom::fill(&mut random).map_err(|error| io::Error::other(error.to_string()))?;
    let hex: String = random.iter().map(|byte| format!("{byte:02x}")).collect();
    let (run, secret) = hex.split_at(16);
    let line = format!("{run} {secret} {}\n", addresses.join(" "));
    for stdin in processes.iter_mut().filter_map(|process| process.stdin.as_mut()) {
        // A process that has ended is noticed by its status.
        let _ = stdin.write_all(line.as_bytes()).and_then(|()| stdin.flush());
    }
    Ok(())
}

/// Waits for all processes; once one has failed, not for long.
fn wait(processes: Vec<Process>, mut failed: bool, stop: &impl Fn() -> bool) -> Vec<Ended> {
    // Processes that know of no others have nothing to end.
    let (mut ended, mut until) = (Vec::new(), failed.then(Instant::now));
    let mut running: Vec<_> = processes.into_iter().enumerate().collect();
    while !running.is_empty() {
        let mut left = Vec::new();
        for (part, mut process) in running {
            match process.child.try_wait() {
                Ok(None) => left.push((part, process)),
                Ok(Some(status)) => {
                    failed |= !status.success();
                    ended.push(end(part, process, status));
                }
                // The process is gone, and the system has not kept its status.
                Err(_) => failed = true,
            }
        }
        running = left;
        if failed {
            let until = *until.get_or_insert_with(|| Instant::now() + GRACE);
            if Instant::now() > until {
                running.iter_mut().for_each(|(_, process)| kill(process));
            }
        }
        if stop() {
            running.iter_mut().for_each(|(_, process)| kill(process));
        }
        thread::sleep(ASK);
    }
    ended
}

fn kill(process: &mut Process) {
    process.killed = true;
    let _ = process.child.kill();
}

fn end(part: usize, mut process: Process, status: ExitStatus) -> Ended {
    process.stdin = None;
    let (number, killed) = (process.child.id(), process.killed);
    let stdout = std::mem::replace(&mut process.stdout, thread::spawn(Vec::new)).join().unwrap_or_default();
    let stderr = process.stderr.lock().unwrap_or_else(PoisonError::into_inner).clone();
    Ended { part, process: number, status, killed, stdout, stderr }
}

/// What a started process learns: where it listens, and who the others are.
#[derive(Debug)]
pub struct Started {
    /// Its open address.
    pub listener: TcpListener,
    /// The addresses of all processes.
    pub hosts: Vec<String>,
    /// The name of the run.
    pub run: String,
    /// The secret of the run.
    pub secret: Secret,
}

impl Started {
    /// Says the own address, and reads those of the others. `gone` is called when the process that started this one is
    /// gone.
    ///
    /// # Errors
    ///
    /// [`Error::Listen`] if no port of loopback is free, [`graph::Error::Invalid`] if no line came.
    pub fn here(gone: impl FnOnce() + Send + 'static) -> Result<Self, Error> {
        let listener = listen("127.0.0.1:0")?;
        let name = || "127.0.0.1".to_owned();
        let own = listener.local_addr().map_err(|source| Error::Listen { address: name(), source })?;
        println!("{WORD} {own}");
        let mut line = String::new();
        let read = io::stdin().lock().take(1 << 20).read_line(&mut line);
        read.map_err(|error| graph::Error::io("standard input", "read", error))?;
        let mut words = line.split_whitespace().map(str::to_owned);
        let (Some(run), Some(secret)) = (words.next(), words.next()) else {
            let help = "--local starts processes by itself";
            return Err(graph::Error::invalid("no addresses came on standard input", help).into());
        };
        thread::spawn(move || {
            let _ = io::copy(&mut io::stdin().lock(), &mut io::sink());
            gone();
        });
        Ok(Self { listener, hosts: words.collect(), run, secret: Secret::new(secret) })
    }
}
