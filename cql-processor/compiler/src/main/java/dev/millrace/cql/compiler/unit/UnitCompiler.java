package dev.millrace.cql.compiler.unit;

import dev.millrace.cql.compiler.janino.ClassCompiler;
import dev.millrace.cql.compiler.janino.GeneratedName;
import dev.millrace.cql.compiler.unit.code.UnitSource;
import dev.millrace.cql.plan.flow.FlowPlan;
import dev.millrace.cql.plan.flow.FlowProperties;
import dev.millrace.cql.runtime.unit.Unit;
import java.util.ArrayList;
import java.util.List;

/**
 * Compiles parts of flows to units. Parts that are equal except for literals and names share a class.
 *
 * <p>Thread-safe.
 */
public final class UnitCompiler
{
    private static final String PACKAGE = "dev.millrace.cql.generated";
    /** Placeholder for the name of a class until its source text is complete. */
    private static final String ANY_NAME = "GeneratedUnit";

    private final ClassCompiler classMaker;

    /**
     * @param classMaker compiles the source text
     */
    public UnitCompiler(final ClassCompiler classMaker)
    {
        this.classMaker = classMaker;
    }

    /**
     * Compiles a flow without patterns.
     *
     * @param queries   outputs to compute
     * @param forgotten what the units must be able to discard
     * @return a unit for each part that shares no state with others
     */
    public List<CompiledUnit> compile(
        final List<FlowPlan.Output> queries, final FlowProperties properties, final DiscardSupport forgotten)
    {
        final List<CompiledUnit> units = new ArrayList<>();
        for (final List<Integer> part : UnitPlanner.parts(queries))
        {
            final List<FlowPlan.Output> outputs = part.stream().map(queries::get).toList();
            final UnitSource text = new UnitSource();
            final UnitBuilder builder = new UnitBuilder(text, properties, outputs, forgotten);
            new UnitGenerator(text, builder.build(), builder.sources().size(), forgotten.canForget()).write();
            final String javaText = text.javaText(PACKAGE, ANY_NAME);
            units.add(new CompiledUnit(outputs, builder.sources(), javaText,
                make(javaText), text.constants(), text.states()));
        }
        return units;
    }

    private Class<? extends Unit> make(final String javaText)
    {
        final String name = GeneratedName.of(javaText, ANY_NAME);
        return classMaker.make(PACKAGE + '.' + name, javaText.replace(ANY_NAME, name), Unit.class.getClassLoader())
            .asSubclass(Unit.class);
    }
}
