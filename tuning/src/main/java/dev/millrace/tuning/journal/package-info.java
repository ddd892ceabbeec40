/**
 * What durability costs: {@link dev.millrace.tuning.journal.JournalWorkload} runs the same network with and without a
 * journal, compared with bare appends of the same records.
 */
package dev.millrace.tuning.journal;
