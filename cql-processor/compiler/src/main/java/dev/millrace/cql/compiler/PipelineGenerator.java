package dev.millrace.cql.compiler;

import dev.millrace.api.event.CharColumn;
import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.stage.EventBatchSink;
import dev.millrace.api.string.StringTable;
import dev.millrace.cql.compiler.emit.ClassContext;
import dev.millrace.cql.compiler.emit.ColumnRef;
import dev.millrace.cql.compiler.emit.ImportDeclarations;
import dev.millrace.cql.compiler.emit.JavaText;
import dev.millrace.cql.compiler.emit.MethodScope;
import dev.millrace.cql.compiler.emit.PlanAnalysis;
import dev.millrace.cql.compiler.emit.PlanNode;
import dev.millrace.cql.compiler.emit.RowSelection;
import dev.millrace.cql.compiler.generator.AggregateStage;
import dev.millrace.cql.compiler.generator.CalcStage;
import dev.millrace.cql.compiler.generator.JoinStage;
import dev.millrace.cql.compiler.generator.OperatorGenerator;
import dev.millrace.cql.compiler.generator.OutputStage;
import dev.millrace.cql.compiler.generator.PatternStage;
import dev.millrace.cql.compiler.generator.SequenceStage;
import dev.millrace.cql.compiler.generator.TemplateGenerator;
import dev.millrace.cql.compiler.generator.WindowIStreamGenerator;
import dev.millrace.cql.compiler.generator.WindowStage;
import dev.millrace.cql.plan.Operator;
import dev.millrace.cql.plan.PipelinePlan;
import dev.millrace.cql.runtime.CharColumnEncoder;
import dev.millrace.cql.runtime.Comparisons;
import dev.millrace.cql.runtime.Decimals;
import dev.millrace.cql.runtime.LookupRelation;
import dev.millrace.cql.runtime.NowRelation;
import dev.millrace.cql.runtime.Pipeline;
import dev.millrace.cql.runtime.PipelineBindings;
import dev.millrace.cql.runtime.RejectionHandler;
import dev.millrace.cql.runtime.SequenceStarts;
import dev.millrace.cql.runtime.TemplateKeys;
import dev.millrace.cql.runtime.TemplateOutputs;
import dev.millrace.cql.runtime.WindowIStreamBuffer;
import dev.millrace.cql.runtime.WindowRowCodec;
import dev.millrace.cql.runtime.state.PartitionSelection;
import dev.millrace.cql.runtime.state.StateInput;
import dev.millrace.cql.runtime.state.StateOutput;
import dev.millrace.cql.runtime.table.KeyedRows;
import dev.millrace.cql.runtime.table.LongSlotMap;
import dev.millrace.cql.runtime.table.NotFinite;
import dev.millrace.cql.runtime.table.RowRing;
import dev.millrace.cql.runtime.table.RowSlotMap;
import dev.millrace.cql.runtime.table.SlotChunks;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Writes the class of a pipeline.
 *
 * <p>The class has four bodies. A small batch is processed row by row through all operators; a larger one is processed
 * operator by operator, and operators pass lists of row numbers ({@link RowModeThreshold} defines the limit). Both
 * forms exist for batches without nulls in relevant columns, and in an exact form.
 */
final class PipelineGenerator
{
    private static final int[] NO_COLUMNS = {};
    private static final String SELECTED = "selection, count, ";

    private final PipelinePlan plan;
    private final String packageName;
    private final PlanAnalysis analysis;
    private final ClassContext context;
    private final Map<PlanNode, OperatorGenerator> stages = new LinkedHashMap<>();
    private final List<OutputStage> outputs = new ArrayList<>();
    private final List<TemplateGenerator> families = new ArrayList<>();

    /**
     * @param plan        to compile
     * @param packageName of the class
     * @param maxKeys     maximum number of keys of an operator whose key is a number or several columns
     * @param scalarRows  batches of fewer rows are processed row by row
     */
    PipelineGenerator(final PipelinePlan plan, final String packageName, final int maxKeys, final int scalarRows)
    {
        this.plan = plan;
        this.packageName = packageName;
        analysis = new PlanAnalysis(plan);
        context = new ClassContext(maxKeys, scalarRows);
        final int[] columns = IntStream.range(0, plan.sourceType().properties().size()).toArray();
        analysis.roots.forEach(root -> addStages(root, columns, false));
    }

    private OperatorGenerator addStages(final PlanNode node, final int[] sourceColumns, final boolean belowAggregate)
    {
        final Operator operator = node.operator;
        node.sourceColumns = sourceColumns;
        if (operator instanceof Operator.Output)
        {
            final OutputStage output = new OutputStage(context, node, belowAggregate);
            outputs.add(output);
            stages.put(node, output);
            return output;
        }
        if (operator instanceof Operator.KeyedOutputs)
        {
            final TemplateGenerator family = new TemplateGenerator(context, node);
            families.add(family);
            return put(node, family);
        }
        if (operator instanceof Operator.GroupedAggregate || operator instanceof Operator.WindowAggregate ||
            operator instanceof Operator.SequencePattern)
        {
            final List<OutputStage> below = new ArrayList<>();
            for (final PlanNode consumer : node.consumers)
            {
                if (!(addStages(consumer, NO_COLUMNS, true) instanceof OutputStage output))
                {
                    throw ClassContext.unsupported(node, "a further operator over " + node.name(),
                        "let the query emit its rows and select from them in another processor");
                }
                below.add(output);
            }
            return put(node, operator instanceof Operator.GroupedAggregate ? new AggregateStage(context, node, below) :
                operator instanceof Operator.SequencePattern ? new SequenceStage(context, node, below) :
                new WindowStage(context, node, below));
        }
        final OperatorGenerator stage = put(node, operator instanceof Operator.Calc ? new CalcStage(context, node) :
            operator instanceof Operator.LookupJoin ? new JoinStage(context, node) :
            operator instanceof Operator.WindowIStream ? new WindowIStreamGenerator(context, node) :
            new PatternStage(context, node));
        final int[] repeated = node.fields().stream().mapToInt(field -> stage.repeatedColumn(field.expression()))
            .map(column -> column < 0 ? column : sourceColumns[column]).toArray();
        node.consumers.forEach(consumer -> addStages(consumer, repeated, false));
        return stage;
    }

    private OperatorGenerator put(final PlanNode node, final OperatorGenerator stage)
    {
        stages.put(node, stage);
        return stage;
    }

    Object[] constants()
    {
        return context.constants();
    }

    /** The source text of the class; plans that may share a class differ only in its name. */
    String generate(final String simpleName)
    {
        final JavaText methods = new JavaText(1);
        writeBodies(methods, false);
        final List<String> exactConditions = new ArrayList<>();
        for (int column = analysis.usedSource.nextSetBit(0); column >= 0;
            column = analysis.usedSource.nextSetBit(column + 1))
        {
            if (plan.sourceType().properties().get(column).type().storage().usesNullBitmap())
            {
                exactConditions.add("in.hasNulls(" + column + ")");
            }
        }
        stages.values().forEach(stage -> exactConditions.addAll(stage.exactConditions()));
        if (!exactConditions.isEmpty())
        {
            writeBodies(methods, true);
            stages.values().forEach(stage -> stage.exactConditions().stream()
                .filter(condition -> !exactConditions.contains(condition)).forEach(exactConditions::add));
        }
        stages.values().forEach(stage -> stage.writeRest(methods));
        writeReserve(methods);
        writeOnBatch(methods, exactConditions);
        writeOnRows(methods, exactConditions);
        writeMute(methods);
        writeHasState(methods);
        writeState(methods);
        return assemble(methods, simpleName);
    }

    private RowSelection sourceRows(final boolean exact)
    {
        final List<ColumnRef> columns = new ArrayList<>();
        for (int i = 0; i < plan.sourceType().properties().size(); i++)
        {
            final CqlType type = plan.sourceType().properties().get(i).type();
            columns.add(new ColumnRef.Source(i, type, exact, context));
        }
        return new RowSelection(columns, null);
    }

    private void writeBodies(final JavaText methods, final boolean exact)
    {
        final String suffix = OperatorGenerator.suffix(exact);
        final JavaText batch = new JavaText(2);
        final JavaText row = new JavaText(2);
        final JavaText selected = new JavaText(2);
        row.open("for (int i = 0; i < n; i++)");
        selected.open("for (int k = 0; k < count; k++)").line("final int i = selection[k];");
        for (final PlanNode root : analysis.roots)
        {
            writeBatchCalls(root, methods, batch, sourceRows(exact), "n", exact);
            writeRowMethods(root, methods, sourceRows(exact), exact);
            row.line(stages.get(root).rowMethod(exact) + "(in, i);");
            selected.line(stages.get(root).rowMethod(exact) + "(in, i);");
        }
        row.close();
        selected.close();
        OperatorGenerator.method(methods, "All operators, one after another, over a batch.",
            "private void batch" + suffix +
            "(final EventBatch in, final int n)", new MethodScope(), batch);
        OperatorGenerator.method(methods, "All operators for one row, then the next row.",
            "private void rows" + suffix +
            "(final EventBatch in, final int n)", new MethodScope(), row);
        OperatorGenerator.method(methods, "All operators for one of some rows, then the next.",
            "private void selected" + suffix +
            "(final EventBatch in, final int[] selection, final int count)", new MethodScope(), selected);
    }

    private void writeBatchCalls(final PlanNode node, final JavaText methods, final JavaText calls,
        final RowSelection input,
        final String count, final boolean exact)
    {
        final OperatorGenerator.Batch batch = stages.get(node).writeBatch(methods, input, exact);
        String left = count;
        if (batch.filters())
        {
            left = "n" + node.number;
            calls.line("final int " + left + " = " + batch.method() + "(in, " + count + ");");
            calls.open("if (" + left + " > 0)");
        }
        else if (batch.method() != null)
        {
            calls.line(batch.method() + "(in, " + count + ");");
        }
        if (batch.rows() != null)
        {
            for (final PlanNode consumer : node.consumers)
            {
                writeBatchCalls(consumer, methods, calls, batch.rows(), left, exact);
            }
        }
        if (batch.filters())
        {
            calls.close();
        }
    }

    private void writeRowMethods(final PlanNode node, final JavaText methods, final RowSelection input,
        final boolean exact)
    {
        final RowSelection rows = stages.get(node).writeRow(methods, input, exact);
        if (rows != null)
        {
            node.consumers.forEach(consumer -> writeRowMethods(consumer, methods, rows, exact));
        }
    }

    private void writeReserve(final JavaText methods)
    {
        final JavaText body = new JavaText(2);
        stages.values().forEach(stage -> stage.writeReserve(body));
        OperatorGenerator.method(methods, "Ensures capacity of the state for a batch of n rows.",
            "private void reserve(final EventBatch in, final int n)", new MethodScope(), body);
    }

    private void writeOnBatch(final JavaText methods, final List<String> exactConditions)
    {
        final JavaText body = new JavaText(2);
        body.line("final int n = in.size();");
        writeBind(body, "");
        writeCoding(body, "null", "n");
        body.line("reserve(in, n);");
        body.open("if (n == 0)");
        stages.values().forEach(stage -> stage.writeTime(body, "in.baseTimestampNs()"));
        outputs.forEach(output -> body.open("if (" + output.batch() + ".size() > 0)").line(output.send())
            .close());
        outputs.forEach(output -> output.writeHeartbeat(body));
        families.forEach(family -> family.writeHeartbeat(body));
        writeReclaim(body);
        body.line("return;");
        body.close();
        body.line("countIn(n);");
        if (!exactConditions.isEmpty())
        {
            body.open("if (" + String.join(" || ", exactConditions) + ")");
            writeChoice(body, "Exact");
            body.close();
            body.open("else");
            writeChoice(body, "");
            body.close();
        }
        else
        {
            writeChoice(body, "");
        }
        writeEnd(body);
        writePublic(methods, "onBatch(final EventBatch in)", body);
    }

    private void writeOnRows(final JavaText methods, final List<String> exactConditions)
    {
        final JavaText body = new JavaText(2);
        body.line("final int n = in.size();");
        body.line("reserve(in, count);");
        body.line("countIn(count);");
        if (!exactConditions.isEmpty())
        {
            body.open("if (" + String.join(" || ", exactConditions) + ")");
            body.line("selectedExact(in, selection, count);");
            body.close();
            body.open("else");
            body.line("selected(in, selection, count);");
            body.close();
        }
        else
        {
            body.line("selected(in, selection, count);");
        }
        writeEnd(body);
        final String parameters = "(final EventBatch in, final int[] selection, final int count)";
        if (context.coded().isEmpty())
        {
            final JavaText bound = new JavaText(2);
            writeBind(bound, SELECTED);
            bound.append(body);
            writePublic(methods, "onRows" + parameters, bound);
            return;
        }
        final JavaText coding = new JavaText(2);
        writeBind(coding, SELECTED);
        writeCoding(coding, "selection", "count");
        coding.line("coded(in, selection, count);");
        writePublic(methods, "onRows" + parameters, coding);
        OperatorGenerator.method(methods, "Some rows, whose strings have codes.", "private void coded" + parameters,
            new MethodScope(), body);
    }

    private void writeBind(final JavaText body, final String rows)
    {
        if (!context.columns().isEmpty())
        {
            body.line("bind(in, " + rows + "columns);");
        }
    }

    /**
     * State indexed by codes has capacity for existing codes, so the strings of the batch get codes first; rows whose
     * strings exceed the capacity are rejected.
     */
    private void writeCoding(final JavaText body, final String selection, final String count)
    {
        if (context.coded().isEmpty())
        {
            return;
        }
        body.open("if (!makeCodes(coded, " + selection + ", " + count + "))");
        body.line("final int left = selectCoded(coded, " + selection + ", " + count + ");");
        body.open("if (left > 0)");
        body.line("coded(in, codedRows(), left);");
        body.close();
        body.line("return;");
        body.close();
    }

    /** Advances time to the last row of the batch and sends collected rows. */
    private void writeEnd(final JavaText body)
    {
        stages.values().forEach(stage -> stage.writeTime(body, "in.timestampNs(n - 1)"));
        outputs.forEach(output -> output.writeEndOfBatch(body));
        families.forEach(family -> family.writeEndOfBatch(body));
        writeReclaim(body);
    }

    /** After all output has been sent: releases strings that no state uses. */
    private void writeReclaim(final JavaText body)
    {
        if (context.hasStrings())
        {
            body.line(context.strings() + ".endOfBatch();");
        }
    }

    private static void writePublic(final JavaText methods, final String heading, final JavaText body)
    {
        writeOverride(methods, "public void " + heading, body);
    }

    private static void writeOverride(final JavaText methods, final String heading, final JavaText body)
    {
        methods.line("");
        methods.line("@Override");
        methods.open(heading);
        methods.append(body);
        methods.close();
    }

    private void writeMute(final JavaText methods)
    {
        if (!families.isEmpty())
        {
            methods.line("");
            methods.line("@Override");
            methods.open("public void mute(final String queryId)");
            families.forEach(family -> family.writeMute(methods));
            methods.close();
        }
    }

    private void writeHasState(final JavaText methods)
    {
        if (context.keeps() != null)
        {
            methods.line("");
            methods.line("@Override");
            methods.open("protected boolean hasState(final int code)");
            methods.line("return " + context.keeps() + ';');
            methods.close();
        }
    }

    private void writeState(final JavaText methods)
    {
        final JavaText saves = new JavaText(2);
        final JavaText loads = new JavaText(2);
        final JavaText forgets = new JavaText(2);
        stages.forEach((node, stage) ->
        {
            final JavaText forget = new JavaText(2);
            stage.writeForget(forget);
            if (!forget.isEmpty())
            {
                OperatorGenerator.method(methods, "Discards partitions of " + node.name() + '.', "private void forget" +
                    node.number + "(final PartitionSelection which)", new MethodScope(), forget);
                forgets.line("forget" + node.number + "(which);");
            }
            final JavaText save = new JavaText(2);
            final JavaText load = new JavaText(2);
            if (stage.writeState(save, load))
            {
                OperatorGenerator.method(methods, "Writes the state of " + node.name() + '.',
                    "private void save" + node.number +
                    "(final StateOutput to, final PartitionSelection which)", new MethodScope(), save);
                OperatorGenerator.method(methods, "Reads the state of " + node.name() + '.',
                    "private void load" + node.number +
                    "(final StateInput from)", new MethodScope(), load);
                saves.line("save" + node.number + "(to, which);");
                loads.line("load" + node.number + "(from);");
            }
        });
        writeReclaim(loads);
        writeReclaim(forgets);
        writePublic(methods, "forget(final PartitionSelection which)", forgets);
        writeOverride(methods, "protected void writeState(final StateOutput to, final PartitionSelection which)",
            saves);
        writeOverride(methods, "protected void readState(final StateInput from)", loads);
    }

    /** A field with the readers of some char columns. */
    private void writeColumns(final String name, final BitSet which)
    {
        if (!which.isEmpty())
        {
            context.field("final CharColumnEncoder[] " + name);
            context.constructor().line(name + " = new CharColumnEncoder[] {" +
                which.stream().mapToObj(context::column).collect(Collectors.joining(", ")) + "};");
        }
    }

    private static void writeChoice(final JavaText body, final String suffix)
    {
        body.open("if (n < scalarRows)");
        body.line("rows" + suffix + "(in, n);");
        body.close();
        body.open("else");
        body.line("batch" + suffix + "(in, n);");
        body.close();
    }

    private String assemble(final JavaText methods, final String simpleName)
    {
        writeColumns("columns", context.columns());
        writeColumns("coded", context.coded());
        final JavaText text = new JavaText(0);
        text.line("package " + packageName + ';').line("");
        text.line(ImportDeclarations.of(EventBatch.class, CharColumn.class, EventBatchSink.class, StringTable.class,
            CharColumnEncoder.class, Comparisons.class, Decimals.class, LookupRelation.class, NowRelation.class,
            Pipeline.class, PipelineBindings.class, RejectionHandler.class, TemplateKeys.class, TemplateOutputs.class,
            WindowRowCodec.class, PartitionSelection.class, StateInput.class, StateOutput.class, KeyedRows.class,
            LongSlotMap.class, NotFinite.class, RowRing.class, RowSlotMap.class, SequenceStarts.class,
            SlotChunks.class, WindowIStreamBuffer.class));
        text.open("public final class " + simpleName + " extends Pipeline");
        // A measured number: as a literal, it would change the source text of the same rules in each process.
        text.line("private final int scalarRows;");
        text.append(context.fields());
        text.line("");
        text.open("public " + simpleName + "(final PipelineBindings bindings, final Object[] constants)");
        text.line("super(bindings, (String[]) constants[0], (String[]) constants[1]);");
        text.line("this.scalarRows = ((Integer) constants[" + ClassContext.SCALAR_ROWS + "]).intValue();");
        text.append(context.constructor());
        text.close();
        text.append(methods);
        text.close();
        return text.toString();
    }
}
