/**
 * Functions that an application provides for its rules. A function of single rows is any public method of any public
 * class, so it needs nothing from this package; an aggregate is created by a factory.
 *
 * <pre>
 *   AggregateFunctionFactory ──newFunction──► AggregateFunction, one per group
 *        rows of the group:  handlePlus ... handleMinus ... value
 * </pre>
 *
 * <p>Callers: the engine. Threads: a factory is called by any thread, an aggregate by one thread at a time; a function
 * of single rows that several queries call must be thread-safe. A function that does not return blocks only the thread
 * that runs its query, so it should limit its own running time.
 */
@Export
@Version("1.0.0")
package dev.millrace.api.function;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
