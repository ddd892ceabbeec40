package dev.millrace.cql.runtime.unit;

import dev.millrace.cql.runtime.flow.FlowBindings;

/** A constant of a plan that stands for something which is bound when a unit is made. Immutable. */
@FunctionalInterface
public interface UnitConstant
{
    /**
     * Finds what it stands for.
     *
     * @param bindings of the unit
     * @return never {@code null}
     * @throws IllegalArgumentException when nothing is bound
     */
    Object in(FlowBindings bindings);
}
