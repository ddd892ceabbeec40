/**
 * One memory budget per instance: everything that grows with input requests memory from it before it grows.
 *
 * <p>Contents: {@link dev.millrace.api.memory.MemoryBudget}, one per instance, and
 * {@link dev.millrace.api.memory.MemoryAccount}, one for each piece of state that one thread owns: a rule on a worker,
 * the connections of an adapter. A {@link dev.millrace.api.memory.MemoryScope} contains the accounts of an application.
 *
 * <p>Protocol for state that grows:
 * <ol>
 * <li>It grows by chunks, never by single rows, and knows the bytes of a chunk before it allocates the chunk.</li>
 * <li>Where a refusal has no side effects - at the entrance of an operator, before the row or the rest of the batch has
 *     changed any state - it calls {@link dev.millrace.api.memory.MemoryAccount#reserve}. When that returns false, the
 *     row is rejected with the reason {@value dev.millrace.api.memory.MemoryAccount#MEMORY_FULL} and the account's
 *     {@link dev.millrace.api.memory.MemoryAccount#shortage shortage} as detail, and rows that need no chunk
 *     continue.</li>
 * <li>Where a new key needs memory in several pieces of state that charge, its table calls
 *     {@link dev.millrace.api.memory.MemoryAccount#isShort} once before it adds the key.</li>
 * <li>Where an admitted row must be processed to its end, as after a window or in a join, it calls
 *     {@link dev.millrace.api.memory.MemoryAccount#charge}, which never refuses. The entrance admits no further row
 *     while the account {@link dev.millrace.api.memory.MemoryAccount#isOverdrawn is overdrawn}; time still advances, so
 *     that windows become empty.</li>
 * <li>Memory that is left to the garbage collector is {@link dev.millrace.api.memory.MemoryAccount#release released}.
 *     Chunks that are kept for later use stay charged.</li>
 * <li>The owner of the state {@link dev.millrace.api.memory.MemoryAccount#close closes} the account; accounts that are
 *     still open are closed with the application.</li>
 * </ol>
 */
@Export
@Version("1.0.0")
package dev.millrace.api.memory;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
