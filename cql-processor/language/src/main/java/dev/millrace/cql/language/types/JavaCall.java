package dev.millrace.cql.language.types;

import dev.millrace.api.cartridge.CartridgeFunction;
import dev.millrace.api.event.CqlType;
import dev.millrace.cql.language.problem.CqlRuleException;
import dev.millrace.cql.language.problem.Message;
import java.lang.invoke.MethodType;
import java.util.List;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlCallBinding;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlOperandCountRange;
import org.apache.calcite.sql.SqlOperatorBinding;
import org.apache.calcite.sql.SqlSpecialOperator;
import org.apache.calcite.sql.SqlWriter;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.type.SqlOperandCountRanges;
import org.apache.calcite.sql.validate.SqlValidator;
import org.apache.calcite.sql.validate.SqlValidatorScope;

/**
 * A Java call, resolved by Java's rules when the types of its operands are known. For members of a value, that value is
 * the first operand. A null operand makes the result null without a call. Immutable.
 */
public final class JavaCall extends SqlSpecialOperator
{
    /** Kinds of calls. */
    public enum Kind
    {
        /** {@code Class(arguments)}. */
        CONSTRUCTOR,
        /** {@code Class.method(arguments)}. */
        STATIC_METHOD,
        /** {@code Class.field}. */
        STATIC_FIELD,
        /** {@code value.method(arguments)}. */
        METHOD,
        /** {@code value.field}. */
        FIELD,
        /** {@code value[index]}. */
        ELEMENT,
        /** {@code function@link(arguments)}. */
        FUNCTION
    }

    private final Kind kind;
    private final Class<?> owner;
    private final String member;
    private final SqlParserPos position;
    /** Overloads of a function; empty for others. */
    private final List<CartridgeFunction> functions;

    /**
     * @param owner    class of constructors and static members, otherwise {@code null}
     * @param member   name of the method or field, empty for others
     * @param position position of the call
     */
    public JavaCall(final Kind kind, final Class<?> owner, final String member, final SqlParserPos position)
    {
        this(kind, owner, member, position, List.of());
    }

    /**
     * A call of a function of a cartridge.
     *
     * @param name      function and link as written
     * @param overloads functions with this name, at least one
     */
    public JavaCall(final String name, final List<CartridgeFunction> overloads, final SqlParserPos position)
    {
        this(Kind.FUNCTION, null, name, position, List.copyOf(overloads));
    }

    private JavaCall(final Kind kind, final Class<?> owner, final String member, final SqlParserPos position,
        final List<CartridgeFunction> functions)
    {
        super(name(kind, owner, member), SqlKind.OTHER, 40, true, null, JavaCall::typeNulls, null);
        this.kind = kind;
        this.owner = owner;
        this.member = member;
        this.position = position;
        this.functions = functions;
    }

    private static String name(final Kind kind, final Class<?> owner, final String member)
    {
        if (kind == Kind.FUNCTION)
        {
            return member;
        }
        final String name = kind == Kind.ELEMENT ? "[]" : '.' + member;
        return owner == null ? name : kind == Kind.CONSTRUCTOR ? owner.getName() : owner.getName() + name;
    }

    /** Whether rules can access a class: it is public, and its module exports the package unconditionally. */
    public static boolean isOpen(final Class<?> owner)
    {
        return JavaMembers.isOpen(owner);
    }

    /**
     * Resolves the call.
     *
     * @return member with its parameter and result classes
     * @throws CqlRuleException if no member matches
     */
    public JavaMember resolve(final List<RelDataType> operands)
    {
        try
        {
            return find(operands);
        }
        // A class file is invalid, or a class that it refers to is missing.
        catch (final LinkageError broken)
        {
            throw new CqlRuleException(Message.BROKEN_CLASS, position,
                kind == Kind.FUNCTION ? member :
                (owner == null ? CqlTypes.javaClass(operands.get(0)) : owner).getName(), broken);
        }
    }

    private JavaMember find(final List<RelDataType> operands)
    {
        final JavaMembers members = new JavaMembers(position);
        return switch (kind)
        {
            case CONSTRUCTOR -> members.constructor(owner, operands);
            case STATIC_METHOD -> members.method(owner, member, true, operands);
            case STATIC_FIELD -> members.field(owner, member, true);
            case METHOD -> members.method(
                ownerOf(operands.get(0)), member, false, operands.subList(1, operands.size()));
            case FIELD -> members.field(ownerOf(operands.get(0)), member, false);
            case ELEMENT -> members.element(ownerOf(operands.get(0)), operands.get(1));
            case FUNCTION -> members.function(member, functions, operands);
        };
    }

    private Class<?> ownerOf(final RelDataType value)
    {
        final CqlType type = CqlTypes.toCql(value);
        if (type == null || type == CqlType.TIMESTAMP || type == CqlType.INTERVAL)
        {
            throw new CqlRuleException(Message.NO_MEMBERS, position, "a value of type " + CqlTypes.nameOf(value));
        }
        // Numbers and booleans have the members of their boxes: a method may have returned one.
        return MethodType.methodType(CqlTypes.javaClass(value)).wrap().returnType();
    }

    @Override
    public boolean isDeterministic()
    {
        return false;
    }

    @Override
    public RelDataType deriveType(final SqlValidator validator, final SqlValidatorScope scope, final SqlCall call)
    {
        for (final SqlNode operand : call.getOperandList())
        {
            validator.deriveType(scope, operand);
        }
        if (owner == null && kind != Kind.FUNCTION && call.operand(0) instanceof SqlLiteral literal)
        {
            throw new CqlRuleException(Message.NO_MEMBERS, literal.getParserPosition(), "a literal");
        }
        return validateOperands(validator, scope, call);
    }

    @Override
    public SqlOperandCountRange getOperandCountRange()
    {
        return SqlOperandCountRanges.any();
    }

    @Override
    public boolean checkOperandTypes(final SqlCallBinding binding, final boolean throwOnFailure)
    {
        resolve(CqlFunction.types(binding));
        return true;
    }

    @Override
    public RelDataType inferReturnType(final SqlOperatorBinding binding)
    {
        final JavaMember found = resolve(CqlFunction.types(binding));
        return CqlTypes.toCalcite(found.resultType(), found.result(), true);
    }

    /** Gives an untyped null the type of its parameter. */
    private static void typeNulls(
        final SqlCallBinding binding, final RelDataType returnType, final RelDataType[] operandTypes)
    {
        final List<RelDataType> types = CqlFunction.types(binding);
        final JavaMember found = ((JavaCall) binding.getOperator()).resolve(types);
        for (int i = 0; i < operandTypes.length; i++)
        {
            final Class<?> parameter = found.parameters().get(i);
            operandTypes[i] = CqlTypes.javaClass(types.get(i)) != null ? types.get(i)
                : CqlTypes.toCalcite(CqlTypes.ofJava(parameter), parameter, true);
        }
    }

    @Override
    public void unparse(final SqlWriter writer, final SqlCall call, final int leftPrec, final int rightPrec)
    {
        CqlFunction.unparse(writer, getName(), call);
    }
}
