package dev.millrace.cql.language.semantic;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.language.syntax.StatementParser;
import dev.millrace.cql.language.types.CqlAggregate;
import dev.millrace.cql.language.types.CqlFunction;
import dev.millrace.cql.language.types.CqlTypes;
import dev.millrace.cql.language.types.FunctionLookup;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import org.apache.calcite.plan.RelOptCluster;
import org.apache.calcite.plan.hep.HepPlanner;
import org.apache.calcite.plan.hep.HepProgram;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.sql.SqlBasicCall;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.util.SqlShuttle;
import org.apache.calcite.sql2rel.SqlToRelConverter;
import org.apache.calcite.sql2rel.StandardConvertletTable;

/** Types a single expression over a row with a column of every type: i b f d m c y o t v x j. */
final class TypedExpressions
{
    static final SourceInfo ROW = new SourceInfo("s", SourceInfo.Kind.STREAM, List.of(
        new SourceInfo.Column("i", CqlType.INT), new SourceInfo.Column("b", CqlType.BIGINT),
        new SourceInfo.Column("f", CqlType.FLOAT), new SourceInfo.Column("d", CqlType.DOUBLE),
        new SourceInfo.Column("m", CqlType.BIGDECIMAL), new SourceInfo.Column("c", CqlType.CHAR),
        new SourceInfo.Column("y", CqlType.BYTE), new SourceInfo.Column("o", CqlType.BOOLEAN),
        new SourceInfo.Column("t", CqlType.TIMESTAMP), new SourceInfo.Column("v", CqlType.INTERVAL),
        new SourceInfo.Column("x", CqlType.XMLTYPE), new SourceInfo.Column("j", CqlType.OBJECT)), List.of());

    /** Functions with all forms of signatures. */
    static final FunctionLookup FUNCTIONS = new FunctionLookup()
    {
        @Override
        public List<Signature> scalars(final String name)
        {
            return switch (name.toLowerCase(Locale.ROOT))
            {
                case "abs" -> List.of(of(CqlType.INT, CqlType.INT), of(CqlType.DOUBLE, CqlType.DOUBLE));
                case "length" -> List.of(of(CqlType.INT, CqlType.CHAR));
                case "pow" -> List.of(of(CqlType.DOUBLE, CqlType.DOUBLE, CqlType.DOUBLE));
                case "concat" -> List.of(new Signature(List.of(CqlType.CHAR), true, CqlType.CHAR, name));
                case "to_bigint" -> List.of(of(CqlType.BIGINT, CqlType.TIMESTAMP), of(CqlType.BIGINT, CqlType.CHAR));
                case "systimestamp" -> List.of(of(CqlType.TIMESTAMP));
                case "hextoraw" -> List.of(of(CqlType.BYTE, CqlType.CHAR));
                default -> List.of();
            };
        }

        @Override
        public List<Signature> aggregates(final String name)
        {
            return "variance".equalsIgnoreCase(name) ? List.of(of(CqlType.DOUBLE, CqlType.DOUBLE)) : List.of();
        }

        @Override
        public Collection<String> names()
        {
            return List.of("abs", "length", "pow", "concat", "to_bigint", "systimestamp", "variance");
        }

        private Signature of(final CqlType result, final CqlType... arguments)
        {
            return new Signature(List.of(arguments), false, result, "");
        }
    };

    private TypedExpressions()
    {
    }

    /** The logical plan of {@code select text from s}. */
    static RelNode plan(final String text)
    {
        final SqlNode value = StatementParser.parseExpression(text).accept(new Names());
        final SqlParserPos position = value.getParserPosition();
        final SqlNodeList items = SqlNodeList.of(SqlStdOperatorTable.AS.createCall(position, value,
            new SqlIdentifier("c0", position)));
        final SqlNode from = SqlStdOperatorTable.AS.createCall(position,
            new SqlIdentifier(SourceTable.nameOf(0), position), new SqlIdentifier(Scope.internalAlias(0), position));
        final SqlSelect select =
            new SqlSelect(position, null, items, from, null, null, null, null, null, null, null, null, null);
        final StatementCatalog catalog = new StatementCatalog(List.of(ROW));
        final CqlValidator validator = new CqlValidator(catalog, text, new PlanningDeadline(60_000));
        final SqlNode validated = validator.validate(select);
        final SqlToRelConverter converter = new SqlToRelConverter(
            (type, query, path, viewPath) ->
            {
                throw new IllegalStateException();
            },
            validator, catalog, RelOptCluster.create(new HepPlanner(HepProgram.builder().build()),
            new RexBuilder(CqlTypes.FACTORY)), StandardConvertletTable.INSTANCE, SqlToRelConverter.config()
            .withRelBuilderConfigTransform(config -> config.withSimplify(false).withSimplifyValues(false)));
        return converter.convertQuery(validated, false, true).project();
    }

    /** The type of an expression; {@code null} for an untyped null. */
    static CqlType type(final String text)
    {
        return CqlTypes.toCql(plan(text).getRowType().getFieldList().get(0).getType());
    }

    private static final class Names extends SqlShuttle
    {
        @Override
        public SqlNode visit(final SqlIdentifier name)
        {
            final SqlParserPos position = name.getParserPosition();
            return name.isStar() ? name : new SqlIdentifier(List.of(Scope.internalAlias(0), name.getSimple()), null,
                position, List.of(position, position));
        }

        @Override
        public SqlNode visit(final SqlCall call)
        {
            final List<SqlNode> operands = new ArrayList<>();
            call.getOperandList().forEach(operand -> operands.add(operand.accept(this)));
            if (call.getOperator() instanceof CqlFunction function)
            {
                final CqlAggregate aggregate = CqlAggregate.named(function.getName(), FUNCTIONS);
                return new SqlBasicCall(aggregate == null ? function.in(FUNCTIONS) : aggregate, operands,
                    call.getParserPosition(), call.getFunctionQuantifier());
            }
            return new SqlBasicCall(call.getOperator(), operands, call.getParserPosition(),
                call.getFunctionQuantifier());
        }
    }
}
