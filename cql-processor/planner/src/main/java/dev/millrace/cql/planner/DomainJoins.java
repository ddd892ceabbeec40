package dev.millrace.cql.planner;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.plan.ProcessorPlan.DomainJoin;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Collects char columns whose values meet. Used by one thread. */
final class DomainJoins
{
    private final Set<DomainJoin> found = new LinkedHashSet<>();

    /** Two columns meet; computed ones have no dictionary of their own. */
    void compare(final Lineage one, final Lineage other)
    {
        if (one.type() == null || other.type() == null ||
            one.type() == other.type() && one.property().equals(other.property()))
        {
            return;
        }
        final int column = one.type().indexOf(one.property());
        if (one.type().properties().get(column).type() == CqlType.CHAR)
        {
            found.add(new DomainJoin(one.type(), one.property(), other.type(), other.property()));
        }
    }

    List<DomainJoin> all()
    {
        return new ArrayList<>(found);
    }
}
