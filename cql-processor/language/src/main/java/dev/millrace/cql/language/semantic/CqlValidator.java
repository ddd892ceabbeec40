package dev.millrace.cql.language.semantic;

import dev.millrace.cql.language.problem.CqlRuleException;
import dev.millrace.cql.language.problem.Message;
import dev.millrace.cql.language.types.CqlOperator;
import dev.millrace.cql.language.types.CqlTypes;
import dev.millrace.cql.language.types.NumericLiteral;
import org.apache.calcite.config.NullCollation;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.runtime.CalciteContextException;
import org.apache.calcite.runtime.Resources;
import org.apache.calcite.sql.SqlBasicCall;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlJoin;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlMatchRecognize;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.validate.SqlValidator;
import org.apache.calcite.sql.validate.SqlValidatorException;
import org.apache.calcite.sql.validate.SqlValidatorImpl;
import org.apache.calcite.sql.validate.SqlValidatorScope;

/**
 * Calcite's validator with the rules of CQL: MATCH_RECOGNIZE returns only its measures, messages come from the CQL
 * catalog, work stops at the deadline. Used for one statement.
 */
final class CqlValidator extends SqlValidatorImpl
{
    private static final SqlValidator.Config CONFIG = SqlValidator.Config.DEFAULT
        .withTypeCoercionEnabled(false)
        .withCallRewrite(false)
        .withIdentifierExpansion(true)
        .withDefaultNullCollation(NullCollation.LAST);

    /** Limit for all joins of one FROM together: each join has the columns of all preceding sources. */
    private static final long MAX_JOINED_COLUMNS = 300_000;

    private final PlanningDeadline deadline;
    private final String text;
    private final long joinedColumns;

    CqlValidator(final StatementCatalog catalog, final String text, final PlanningDeadline deadline)
    {
        super(StatementCatalog.OPERATORS, catalog, CqlTypes.FACTORY, CONFIG);
        this.text = text;
        this.deadline = deadline;
        joinedColumns = catalog.joinedColumns();
    }

    @Override
    public RelDataType deriveType(final SqlValidatorScope scope, final SqlNode node)
    {
        deadline.check();
        if (node instanceof SqlCall call && call.getOperator() == SqlStdOperatorTable.FILTER)
        {
            final SqlNode condition = call.operand(1);
            CqlOperator.checkCondition(condition.getParserPosition(), super.deriveType(scope, condition));
        }
        return super.deriveType(scope, node);
    }

    @Override
    protected void validateJoin(final SqlJoin join, final SqlValidatorScope scope)
    {
        deadline.check();
        if (joinedColumns > MAX_JOINED_COLUMNS)
        {
            throw new CqlRuleException(Message.TOO_MANY_COLUMNS, join.getParserPosition(),
                "the joins of FROM carry " + joinedColumns, MAX_JOINED_COLUMNS)
                .withHint("join fewer sources, or views of the columns that are needed");
        }
        super.validateJoin(join, scope);
    }

    @Override
    public void validateMatchRecognize(final SqlCall call)
    {
        final SqlMatchRecognize match = (SqlMatchRecognize) call;
        // Otherwise the source of a clause that names no column is not validated.
        getNamespace(match.getTableRef()).validate(unknownType);
        super.validateMatchRecognize(call);
        final RelDataTypeFactory.Builder measures = CqlTypes.FACTORY.builder();
        for (final SqlNode measure : match.getMeasureList())
        {
            final SqlBasicCall as = (SqlBasicCall) measure;
            final RelDataType type = deriveType(getMatchRecognizeScope(match), as.operand(0));
            if (type.getSqlTypeName() == SqlTypeName.NULL)
            {
                throw new CqlRuleException(Message.NULL_HAS_NO_TYPE, positionOf(as));
            }
            measures.add(as.operand(1).toString(), type);
        }
        for (final SqlNode define : match.getPatternDefList())
        {
            final SqlNode condition = ((SqlBasicCall) define).operand(0);
            CqlOperator.checkCondition(positionOf(condition), deriveType(getMatchRecognizeScope(match), condition));
        }
        getNamespace(match).setType(measures.build());
    }

    @Override
    protected void validateWhereClause(final SqlSelect select)
    {
        checkCondition(select.getWhere(), select.getWhere() == null ? null : getWhereScope(select));
        super.validateWhereClause(select);
    }

    @Override
    protected void validateHavingClause(final SqlSelect select)
    {
        checkCondition(select.getHaving(), select.getHaving() == null ? null : getHavingScope(select));
        super.validateHavingClause(select);
    }

    private void checkCondition(final SqlNode condition, final SqlValidatorScope scope)
    {
        if (condition != null)
        {
            CqlOperator.checkCondition(condition.getParserPosition(), deriveType(scope, condition));
        }
    }

    private static SqlParserPos positionOf(final SqlNode node)
    {
        if (node.getParserPosition().getLineNum() > 0 || !(node instanceof SqlCall call))
        {
            return node.getParserPosition();
        }
        return call.getOperandList().stream().filter(operand -> operand != null).map(CqlValidator::positionOf)
            .filter(position -> position.getLineNum() > 0).findFirst().orElse(SqlParserPos.ZERO);
    }

    /** Numbers have been checked by their CQL type; Calcite would refuse more than 19 decimal digits. */
    @Override
    public void validateLiteral(final SqlLiteral literal)
    {
        if (!(literal instanceof NumericLiteral))
        {
            super.validateLiteral(literal);
        }
    }

    /** Everything except grouping was checked before; any other error here is internal. */
    @Override
    public CalciteContextException newValidationError(
        final SqlNode node, final Resources.ExInst<SqlValidatorException> error)
    {
        final String message = error.ex().getMessage();
        if (message.contains("is not being grouped"))
        {
            throw new CqlRuleException(Message.NOT_GROUPED, node.getParserPosition(),
                SourceSlices.cut(text, node.getParserPosition()));
        }
        if (message.startsWith("Illegal use of 'NULL'"))
        {
            throw new CqlRuleException(Message.NULL_HAS_NO_TYPE, node.getParserPosition());
        }
        if (message.endsWith(" clause must be a condition"))
        {
            final RelDataType type = getValidatedNodeTypeIfKnown(node);
            throw new CqlRuleException(Message.NOT_A_CONDITION, positionOf(node),
                type == null ? "a value" : "a value of type " + CqlTypes.nameOf(type));
        }
        throw new IllegalStateException(message + " at " + node.getParserPosition());
    }
}
