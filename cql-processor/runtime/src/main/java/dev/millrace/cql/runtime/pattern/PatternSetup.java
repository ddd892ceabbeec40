package dev.millrace.cql.runtime.pattern;

import dev.millrace.cql.runtime.flow.AggregateFactory;
import dev.millrace.cql.runtime.flow.Calc;
import dev.millrace.cql.runtime.flow.RowLayout;

/**
 * A compiled pattern and what it needs to run.
 *
 * @param program        what is looked for
 * @param kernel         conditions and measures
 * @param arguments      computes the arguments of aggregates from a row; {@code null} when they are columns of the
 *                       input (or there are none)
 * @param argumentLayout layout of the argument rows; {@code null} without {@code arguments}
 * @param factories      one an aggregate; {@code null} where none is needed
 * @param maxRuns        partial matches of a partition; further ones are not followed
 * @param maxRows        rows that a partition may keep; its oldest candidates give way
 * @param maxPartitions  partitions; rows of further ones are turned away
 * @param idleNs         how long a partition without a time limit may be without rows; 0 when it is kept
 */
public record PatternSetup(PatternProgram program, PatternKernel kernel, Calc arguments, RowLayout argumentLayout,
    AggregateFactory[] factories, int maxRuns, int maxRows, int maxPartitions,
    long idleNs)
{}
