package dev.millrace.cql.processor;

import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import dev.millrace.cql.compiler.PipelineCompiler;
import dev.millrace.cql.plan.Expression;
import dev.millrace.cql.plan.Field;
import dev.millrace.cql.plan.Operator;
import dev.millrace.cql.plan.OrderingConstraint;
import dev.millrace.cql.plan.PipelinePlan;
import dev.millrace.cql.planner.RulePlanner;
import java.util.List;

/**
 * Loads the classes of planner and compiler ahead of the first application, by planning and compiling something
 * small. A deployment that comes at the same time only waits for classes that are being initialised.
 */
final class WarmUp
{
    private WarmUp()
    {
    }

    /** Plans and compiles. Runs on a background thread; a failure is the caller's to log. */
    static void run()
    {
        final ClassLoader before = BundleClasses.enter();
        try
        {
            RulePlanner.warmUp();
            new PipelineCompiler().compile(smallPlan());
        }
        finally
        {
            BundleClasses.leave(before);
        }
    }

    private static PipelinePlan smallPlan()
    {
        final EventType type = EventType.tuple("WarmUp", new EventProperty("value", CqlType.DOUBLE));
        final Expression value = new Expression.Column(0, CqlType.DOUBLE, true);
        final Operator output = new Operator.Output("warmUp", type, Operator.OutputKind.STREAM);
        final Operator calc = new Operator.Calc(null, List.of(new Field("value", value)), List.of(output));
        return new PipelinePlan("warmUp", "warmUp", type, OrderingConstraint.ORDERED, -1, List.of(calc));
    }
}
