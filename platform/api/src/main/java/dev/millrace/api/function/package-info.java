/**
 * Functions that an application brings for its rules. A function of single rows is any public method of any public
 * class, so it needs nothing from here; an aggregate is made by a factory.
 *
 * <pre>
 *   AggregateFunctionFactory ──newFunction──► AggregateFunction, one a group
 *        rows of the group:  handlePlus ... handleMinus ... value
 * </pre>
 *
 * <p>Who may call: the engine. Threads: a factory is called by any thread, an aggregate by one at a time; a function of
 * single rows that several queries call must be safe for all threads. A function that does not return holds up the
 * thread that runs its query, and nothing else: give it bounds of its own.
 */
@Export
@Version("1.0.0")
package dev.millrace.api.function;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
