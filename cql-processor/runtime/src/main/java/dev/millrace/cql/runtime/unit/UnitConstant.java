package dev.millrace.cql.runtime.unit;

import dev.millrace.cql.runtime.flow.FlowBindings;

/** A constant of a plan that refers to an object which is bound when a unit is created. Immutable. */
@FunctionalInterface
public interface UnitConstant
{
    /**
     * Finds the bound object.
     *
     * @return never {@code null}
     * @throws IllegalArgumentException when nothing is bound
     */
    Object in(FlowBindings bindings);
}
