/**
 * Journals: append-only sequences of records that survive the death of a process.
 *
 * <pre>
 *   Journal.append ─► reservation of disk space ─► frame with checksum ─► file of Chronicle Queue ─► sync
 *   JournalReader ◄── check of checksum, order and files ◄──────────────────────┘
 * </pre>
 *
 * <p>Callers: the server, durable applications, the command line. Records are bytes here; what they contain is decided
 * by the callers. Chronicle Queue is not visible outside.
 */
package dev.millrace.journal;
