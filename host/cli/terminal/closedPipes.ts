/** Whoever reads what a command writes may have enough: `resilin config | head`. What it does goes on, what it writes is lost. */
export function outliveReaders(): void {
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (e: NodeJS.ErrnoException) => {
      if (e.code !== 'EPIPE') throw e;
    });
}
