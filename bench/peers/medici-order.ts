/** What the process that uses medici is told. */
export interface MediciOrder {
  readonly mongodbUri: string;
  readonly wallets: number;
  /** Whether each journal is followed by the check of the balance and the lock that medici's README recommends. */
  readonly isChecked: boolean;
  /** Whether one account pays every transfer. */
  readonly isHot: boolean;
  readonly warmUpTransfers: number;
  readonly transfers: number;
  readonly atOnce: number;
  readonly seed: number;
}
