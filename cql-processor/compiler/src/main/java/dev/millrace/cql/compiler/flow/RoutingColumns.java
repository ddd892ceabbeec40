package dev.millrace.cql.compiler.flow;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.cql.compiler.janino.ClassCompiler;
import dev.millrace.cql.plan.expression.Expression;
import dev.millrace.cql.plan.flow.FlowPlan;
import dev.millrace.cql.plan.flow.FlowRoute;
import dev.millrace.cql.runtime.row.RowHashes;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;

/** Which values determine the route of a source's rows. Immutable after construction. */
final class RoutingColumns
{
    private final FlowPlan plan;
    private final Constructor<?>[] computed;
    private final Object[][] constants;
    private final StringBuilder javaText = new StringBuilder();

    RoutingColumns(final FlowPlan plan, final ClassCompiler maker)
    {
        this.plan = plan;
        computed = new Constructor<?>[plan.sources().size()];
        constants = new Object[computed.length][];
        for (int i = 0; i < computed.length; i++)
        {
            final FlowRoute route = plan.routes().get(i);
            if (route.kind() == FlowRoute.Kind.VALUE && !isPlain(i))
            {
                final RoutingHashGenerator generator = new RoutingHashGenerator(plan.sources().get(i), route.value());
                javaText.append(generator.javaText());
                computed[i] = generator.make(maker);
                constants[i] = generator.constants();
            }
        }
    }

    /** Whether the value is a column of the batch. */
    private boolean isPlain(final int source)
    {
        return plan.routes().get(source).value() instanceof Expression.Column column &&
            column.column() < plan.sources().get(source).type().properties().size();
    }

    /** The generated source text, for diagnosis. */
    String javaText()
    {
        return javaText.toString();
    }

    RowHashes hashes(final int source, final BatchSchema schema)
    {
        if (isPlain(source))
        {
            return RowHashes.ofColumn(schema, ((Expression.Column)plan.routes().get(source).value()).column());
        }
        try
        {
            return (RowHashes)computed[source].newInstance((Object)constants[source]);
        }
        catch (final InvocationTargetException | InstantiationException | IllegalAccessException failure)
        {
            throw new IllegalStateException("cannot create a generated class, class=" +
                computed[source].getDeclaringClass().getSimpleName(), failure);
        }
    }
}
