package dev.millrace.cql.language.semantic;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.language.problem.CqlRuleException;
import dev.millrace.cql.language.problem.Message;
import dev.millrace.cql.language.syntax.SimpleStatement;
import dev.millrace.cql.language.syntax.SimpleStatement.FlatSource;
import dev.millrace.cql.language.types.CqlTypes;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.apache.calcite.plan.RelOptCluster;
import org.apache.calcite.plan.hep.HepPlanner;
import org.apache.calcite.plan.hep.HepProgram;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.sql.JoinConditionType;
import org.apache.calcite.sql.JoinType;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlJoin;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql2rel.SqlToRelConverter;
import org.apache.calcite.sql2rel.StandardConvertletTable;

/** Resolves and types a parsed statement. Single use, not thread-safe. */
public final class StatementAnalyzer
{
    /** All options that change a plan are switched off. */
    static final SqlToRelConverter.Config CONVERTER = SqlToRelConverter.config()
        .withTrimUnusedFields(false)
        .withExpand(false)
        .withDecorrelationEnabled(false)
        .withRelBuilderConfigTransform(config -> config
            .withSimplify(false)
            .withSimplifyLimit(false)
            .withSimplifyValues(false)
            .withPruneInputOfAggregate(false)
            .withPushJoinCondition(false)
            .withBloat(-1));
    private static final HepProgram NO_RULES = HepProgram.builder().build();

    private final SimpleStatement statement;
    private final String text;
    private final PlanningDeadline deadline;
    private final List<SourceInfo> sources = new ArrayList<>();
    private final List<String> aliases = new ArrayList<>();
    private final Scope scope = new Scope();
    private MatchResolver match;

    private StatementAnalyzer(final SimpleStatement statement, final String text, final PlanningDeadline deadline)
    {
        this.statement = statement;
        this.text = text;
        this.deadline = deadline;
    }

    /**
     * Analyzes a statement.
     *
     * @param statement syntax tree
     * @param text      its text, for messages
     * @param lookup    finds a source by its name in FROM; throws {@link CqlRuleException} if no source has the name
     * @param deadline  deadline of planning
     * @return names, types and logical plan
     * @throws CqlRuleException if the statement is invalid
     */
    public static LogicalStatement analyze(
        final SimpleStatement statement, final String text, final Function<SqlIdentifier, SourceInfo> lookup,
        final PlanningDeadline deadline)
    {
        return new StatementAnalyzer(statement, text, deadline).analyze(lookup);
    }

    private LogicalStatement analyze(final Function<SqlIdentifier, SourceInfo> lookup)
    {
        for (final FlatSource source : statement.sources())
        {
            addSource(source, lookup.apply(source.name()));
        }
        final StatementChecks rules = new StatementChecks(statement, sources);
        rules.checkSources();
        if (!statement.unavailable().isEmpty())
        {
            throw statement.unavailable().get(0);
        }
        final SelectResolver resolver = new SelectResolver(scope, CallResolver.NOTHING);
        final SqlParserPos position = statement.position();
        final List<SelectResolver.Column> columns = resolver.items(statement.items());
        final SqlNodeList items = new SqlNodeList(position);
        for (int i = 0; i < columns.size(); i++)
        {
            final SqlNode value = columns.get(i).value();
            items.add(SqlStdOperatorTable.AS.createCall(value.getParserPosition(), value,
                new SqlIdentifier("c" + i, value.getParserPosition())));
        }
        final SqlNode where = statement.where() == null ? null : resolver.resolve(statement.where(), "WHERE");
        final SqlNodeList groupBy = resolver.groupBy(statement.groupBy(), position);
        final SqlNode having = resolver.having(statement.having(), groupBy);
        rules.checkShape(where, groupBy != null || resolver.hasAggregates());
        final SqlSelect select = new SqlSelect(position, null, items, from(), where, groupBy, having, null, null, null,
            null, null, null);
        return convert(select, columns);
    }

    private void addSource(final FlatSource source, final SourceInfo info)
    {
        final SqlIdentifier name = source.alias() == null ? source.name() : source.alias();
        sources.add(info);
        aliases.add(name.getSimple());
        if (source.match() == null)
        {
            scope.add(name.getSimple(), name.getParserPosition(), info.columnNames(), false);
            return;
        }
        if (source.windowPosition() != null)
        {
            throw new CqlRuleException(Message.WINDOW_BEFORE_PATTERN, source.windowPosition());
        }
        if (info.kind() != SourceInfo.Kind.STREAM)
        {
            throw new CqlRuleException(Message.NEEDS_STREAM, source.name().getParserPosition(), "MATCH_RECOGNIZE",
                info.name());
        }
        match = new MatchResolver(source.match(), info);
        match.checkStructure();
        if (statement.sources().size() > 1)
        {
            throw new CqlRuleException(Message.NOT_AVAILABLE, source.match().position(),
                "MATCH_RECOGNIZE with other sources", "match in a view and join its result");
        }
        scope.add(name.getSimple(), name.getParserPosition(), match.measureNames(), true);
    }

    private SqlNode from()
    {
        SqlNode from = null;
        for (int i = 0; i < sources.size(); i++)
        {
            final SqlParserPos position = statement.sources().get(i).name().getParserPosition();
            final SqlNode table = new SqlIdentifier(SourceTable.nameOf(i), position);
            final SqlNode source = SqlStdOperatorTable.AS.createCall(position,
                match == null ? table : match.resolve(table), new SqlIdentifier(Scope.internalAlias(i), position));
            from = from == null ? source : new SqlJoin(position, from, SqlLiteral.createBoolean(false, position),
                JoinType.COMMA.symbol(position), source, JoinConditionType.NONE.symbol(position), null);
        }
        return from;
    }

    private LogicalStatement convert(final SqlSelect select, final List<SelectResolver.Column> columns)
    {
        deadline.check();
        final StatementCatalog catalog = new StatementCatalog(sources);
        final CqlValidator validator = new CqlValidator(catalog, text, deadline);
        final SqlNode validated = validator.validate(select);
        final RelDataType rowType = validator.getValidatedNodeType(validated);
        final List<String> names = new ArrayList<>();
        final List<CqlType> types = new ArrayList<>();
        for (int i = 0; i < columns.size(); i++)
        {
            final RelDataType type = rowType.getFieldList().get(i).getType();
            names.add(columns.get(i).name());
            types.add(type.getSqlTypeName() == SqlTypeName.NULL ? CqlType.CHAR : CqlTypes.toCql(type));
        }
        deadline.check();
        final RelOptCluster cluster =
            RelOptCluster.create(new HepPlanner(NO_RULES), new RexBuilder(CqlTypes.FACTORY));
        final SqlToRelConverter converter = new SqlToRelConverter(
            (type, query, path, viewPath) ->
            {
                throw new IllegalStateException("views are never expanded, query=" + query);
            },
            validator, catalog, cluster, StandardConvertletTable.INSTANCE, CONVERTER);
        final RelNode plan = converter.convertQuery(validated, false, true).project();
        return new LogicalStatement(statement, sources, aliases, match == null ? List.of() : match.variables(), names,
            types, plan);
    }
}
