package dev.millrace.cql.language.types;

import dev.millrace.cql.language.problem.CqlRuleException;
import dev.millrace.cql.language.problem.Message;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlSpecialOperator;
import org.apache.calcite.sql.SqlWriter;
import org.apache.calcite.sql.validate.SqlValidator;
import org.apache.calcite.sql.validate.SqlValidatorScope;

/**
 * A member of a Java value: the first operand is the value, the others are arguments or the index. The analysis
 * replaces it with a typed call. Immutable.
 */
public final class CqlMember extends SqlSpecialOperator
{
    /** Kinds of members. */
    public enum Access
    {
        /** A field. */
        FIELD,
        /** A method. */
        METHOD,
        /** An element of an array. */
        ELEMENT
    }

    private final Access access;
    private final String member;

    /**
     * @param access kind
     * @param member name of the field or method; empty for an element
     */
    public CqlMember(final Access access, final String member)
    {
        super(access == Access.ELEMENT ? "[]" : '.' + member, SqlKind.OTHER, 40, true, null, null, null);
        this.access = access;
        this.member = member;
    }

    /** The kind of member. */
    public Access access()
    {
        return access;
    }

    /** The name of the field or method. */
    public String member()
    {
        return member;
    }

    @Override
    public RelDataType deriveType(final SqlValidator validator, final SqlValidatorScope scope, final SqlCall call)
    {
        throw new CqlRuleException(Message.NOT_AVAILABLE, call.getParserPosition(),
            access == Access.ELEMENT ? "an array element" : "a member of a Java value", "");
    }

    @Override
    public void unparse(final SqlWriter writer, final SqlCall call, final int leftPrec, final int rightPrec)
    {
        CqlFunction.unparse(writer, getName(), call);
    }
}
