/** Preloaded into a process whose clock is to be off, by CLOCK_OFFSET_MS. Timers, which are relative, stay right. */
const offsetMs = Number(process.env['CLOCK_OFFSET_MS'] ?? 0);
const RightDate = globalThis.Date;

class ShiftedDate extends RightDate {
  constructor(...given: unknown[]) {
    super(...((given.length === 0 ? [ShiftedDate.now()] : given) as [number]));
  }

  static override now(): number {
    return RightDate.now() + offsetMs;
  }
}

globalThis.Date = ShiftedDate as DateConstructor;
