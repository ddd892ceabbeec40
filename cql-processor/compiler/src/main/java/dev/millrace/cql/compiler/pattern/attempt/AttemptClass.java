package dev.millrace.cql.compiler.pattern.attempt;

import dev.millrace.cql.compiler.expression.ExpressionCode;
import dev.millrace.cql.compiler.expression.FieldConstants;
import dev.millrace.cql.compiler.expression.TermMethods;
import dev.millrace.cql.compiler.pattern.AttemptLayout;
import dev.millrace.cql.compiler.pattern.PatternGraph;
import dev.millrace.cql.compiler.pattern.PatternStrategySelector;
import dev.millrace.cql.plan.flow.FlowNode;
import dev.millrace.cql.plan.flow.PatternSpec;
import dev.millrace.cql.runtime.pattern.PatternProgram;

/**
 * The source text of a pattern's class while it is written, and the inputs of all its writers: the pattern, the layout
 * of its records and its constants.
 *
 * <p>Not thread-safe; used for one class.
 */
final class AttemptClass
{
    final FlowNode.Match match;
    final PatternSpec spec;
    final PatternProgram program;
    final PatternStrategySelector choice;
    final PatternGraph paths;
    final AttemptLayout layout;
    final AttemptRecordLayout words;
    final FieldConstants constants = new FieldConstants();
    final TermMethods terms =
        new TermMethods("terms", "private", AttemptLeafResolver.PARAMETERS, AttemptLeafResolver.ARGUMENTS);
    private final StringBuilder methods = new StringBuilder();

    AttemptClass(final FlowNode.Match match, final PatternProgram program, final PatternStrategySelector choice,
        final boolean isOrdered)
    {
        this.match = match;
        this.program = program;
        this.choice = choice;
        spec = match.pattern();
        paths = choice.paths();
        layout = choice.layout();
        words = new AttemptRecordLayout(spec, program, choice, isOrdered);
    }

    /** The registers of an attempt. */
    Registers registers(final String prefix)
    {
        return registers(prefix, words.registersAt, 0);
    }

    /** The registers at the time when the attempt was complete. */
    Registers registersOfMatch(final String prefix)
    {
        return registers(prefix, words.copyAt, words.copies ? layout.registers().references() : 0);
    }

    private Registers registers(final String prefix, final int at, final int objectsAt)
    {
        return new Registers(layout, at, prefix, words.isRecord ? "partitions.reference(p, " :
            "attempts.reference(" + prefix + "id, ",
            objectsAt + (words.isRecord ? layout.partition().references() : 0));
    }

    /** Reads the record of an attempt. */
    AttemptLeafResolver leaves(final String prefix)
    {
        return new AttemptLeafResolver(layout, registers(prefix), prefix, words.numberAt);
    }

    /** Reads the state of an attempt at the time when it was complete. */
    AttemptLeafResolver leavesOfMatch(final String prefix)
    {
        return new AttemptLeafResolver(layout, registersOfMatch(prefix), prefix, words.numberAt);
    }

    /** A writer for expressions of the condition of a variable. */
    ExpressionCode code(final int variable)
    {
        final AttemptLeafResolver leaves = leaves("");
        return new ExpressionCode(constants, (leaf, code) -> leaves.ofCondition(leaf, variable, code),
            terms);
    }

    void method(final String heading, final String body)
    {
        methods.append("  ").append(heading).append(" {\n").append(body).append("  }\n");
    }

    void text(final String more)
    {
        methods.append(more);
    }

    /** The methods written so far. */
    String text()
    {
        return methods.toString();
    }
}
