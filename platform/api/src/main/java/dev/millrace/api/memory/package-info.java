/**
 * One budget of memory for an instance: everything that grows with input asks it before it grows.
 *
 * <p>Who lives here: {@link dev.millrace.api.memory.MemoryBudget}, one an instance, and
 * {@link dev.millrace.api.memory.MemoryAccount}, one for each piece of state that one thread owns: a rule on a worker,
 * the connections of an adapter. A {@link dev.millrace.api.memory.MemoryScope} has those of an
 * application.
 *
 * <p>How state that grows uses it:
 * <ol>
 * <li>It grows by chunks, never by single rows, and knows the bytes of a chunk before it makes it.</li>
 * <li>Where a refusal leaves no trace - at the door of an operator, before the row or the rest of the batch has touched
 * any state - it calls {@link dev.millrace.api.memory.MemoryAccount#reserve}. When that gives false, the row is
 * rejected with the reason {@value dev.millrace.api.memory.MemoryAccount#MEMORY_FULL} and the account's
 * {@link dev.millrace.api.memory.MemoryAccount#shortage shortage} as detail, and rows that need no chunk go on.</li>
 * <li>Where a new key takes memory in several places that charge, its table asks once, with
 * {@link dev.millrace.api.memory.MemoryAccount#isShort}, before it takes the key in.</li>
 * <li>Where a row that was let in must be worked on to its end, as behind a window or in a join, it calls
 * {@link dev.millrace.api.memory.MemoryAccount#charge}, which never refuses. The door lets no further row in while the
 * account {@link dev.millrace.api.memory.MemoryAccount#isOverdrawn is overdrawn}; time goes on meanwhile, so that
 * windows run dry.</li>
 * <li>What is given to the collector is {@link dev.millrace.api.memory.MemoryAccount#release released}. Chunks that are
 * kept for later use stay on the account.</li>
 * <li>Whoever ends the state {@link dev.millrace.api.memory.MemoryAccount#close closes} the account; what is still open
 * is closed with the application.</li>
 * </ol>
 */
@Export
@Version("1.0.0")
package dev.millrace.api.memory;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
