package dev.millrace.cql.language.types;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.language.problem.CqlRuleException;
import dev.millrace.cql.language.problem.Message;
import dev.millrace.cql.language.problem.Suggestions;
import dev.millrace.cql.language.types.FunctionLookup.Signature;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlCallBinding;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
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
 * A function that is called by name. The parser creates it with the name only; the analysis adds the existing
 * functions, or replaces it when the name refers to an aggregate or to Java. Immutable.
 */
public final class CqlFunction extends SqlSpecialOperator
{
    private final SqlIdentifier path;
    private final String link;
    private final FunctionLookup lookup;
    /** The type that CAST names; {@code null} for a call by name. */
    private final CqlType castTo;

    /**
     * Creates an unresolved function.
     *
     * @param path name, with class and package or with source and column if the text contains them
     * @param link the name after {@code @}, or {@code null}
     */
    public CqlFunction(final SqlIdentifier path, final String link)
    {
        this(path, link, null, null);
    }

    private CqlFunction(
        final SqlIdentifier path, final String link, final FunctionLookup lookup, final CqlType castTo)
    {
        super(nameOf(path, link), SqlKind.OTHER, 40, true, null, CqlFunction::typeNulls, null);
        this.path = path;
        this.link = link;
        this.lookup = lookup;
        this.castTo = castTo;
    }

    /**
     * CAST, which is the function {@code to_type}, restricted to types that can be converted to the target.
     *
     * @param type     target type
     * @param position position of the call
     * @return function of one argument
     */
    public static CqlFunction cast(final CqlType type, final SqlParserPos position)
    {
        return new CqlFunction(new SqlIdentifier("to_" + type.cqlName(), position), null, null, type);
    }

    private static String nameOf(final SqlIdentifier path, final String link)
    {
        final String name = path.isSimple() ? path.getSimple().toLowerCase(Locale.ROOT) : String.join(".", path.names);
        return link == null ? name : name + '@' + link;
    }

    /**
     * A call of a built-in function.
     *
     * @param name lower-case name
     */
    public static SqlCall call(final String name, final SqlParserPos position, final SqlNode... arguments)
    {
        return new CqlFunction(new SqlIdentifier(name, position), null).createCall(position, arguments);
    }

    /** The name as written; one part for a function of the catalog. */
    public SqlIdentifier path()
    {
        return path;
    }

    /** The name of the cartridge after {@code @}, or {@code null}. */
    public String link()
    {
        return link;
    }

    /**
     * Whether it can only be a function of the catalog.
     *
     * @return true for a simple name without cartridge
     */
    public boolean isPlain()
    {
        return link == null && path.isSimple();
    }

    /**
     * This function with the existing functions.
     *
     * @param functions all functions
     * @return a copy
     * @throws CqlRuleException if no function has this name
     */
    public CqlFunction in(final FunctionLookup functions)
    {
        if (isPlain() && functions.scalars(getName()).isEmpty())
        {
            throw unknown(functions);
        }
        return new CqlFunction(path, link, functions, castTo);
    }

    /** The refusal of this unknown name, with the nearest name as hint. */
    public CqlRuleException unknown(final FunctionLookup functions)
    {
        return new CqlRuleException(Message.UNKNOWN_FUNCTION, path.getParserPosition(), path.toString())
            .withHint(Suggestions.didYouMean(getName(), functions.names()));
    }

    /** The signature to which a call resolves. */
    public Signature signature(final List<RelDataType> arguments)
    {
        if (!isPlain() || lookup == null)
        {
            throw new CqlRuleException(Message.NOT_AVAILABLE, path.getParserPosition(),
                isPlain() ? "function " + getName() : link == null ? "a Java call" : "a cartridge call", "");
        }
        return castTo != null ? castOf(arguments.get(0)) :
            Overloads.choose(getName(), lookup.scalars(getName()), arguments, path.getParserPosition());
    }

    /** The conversion from a type; signatures with a char parameter are only for char, unless the target is char. */
    private Signature castOf(final RelDataType from)
    {
        final SqlParserPos position = path.getParserPosition();
        final CqlType type = CqlTypes.toCql(from);
        Signature found = null;
        try
        {
            found = Overloads.choose(getName(), lookup.scalars(getName()), List.of(from), position);
        }
        catch (final CqlRuleException none)
        {
            if (none.message() != Message.ARGUMENT_TYPES)
            {
                throw none;
            }
        }
        if (found == null ||
            castTo != CqlType.CHAR && type != null && type != CqlType.CHAR && found.argument(0) == CqlType.CHAR)
        {
            throw new CqlRuleException(Message.CANNOT_CAST, position, type.cqlName(), castTo.cqlName());
        }
        return found;
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
        signature(types(binding));
        return true;
    }

    @Override
    public RelDataType inferReturnType(final SqlOperatorBinding binding)
    {
        return CqlTypes.toCalcite(signature(types(binding)).result(), true);
    }

    /** Gives an untyped null the type of its parameter. */
    private static void typeNulls(
        final SqlCallBinding binding, final RelDataType returnType, final RelDataType[] operandTypes)
    {
        final List<RelDataType> types = types(binding);
        final Signature signature = ((CqlFunction) binding.getOperator()).signature(types);
        typeNulls(signature, types, operandTypes);
    }

    static void typeNulls(
        final Signature signature, final List<RelDataType> types, final RelDataType[] operandTypes)
    {
        for (int i = 0; i < operandTypes.length; i++)
        {
            operandTypes[i] = CqlTypes.toCql(types.get(i)) == null
                ? CqlTypes.toCalcite(signature.argument(i), true) : types.get(i);
        }
    }

    static List<RelDataType> types(final SqlOperatorBinding binding)
    {
        final List<RelDataType> types = new ArrayList<>();
        for (int i = 0; i < binding.getOperandCount(); i++)
        {
            types.add(binding.getOperandType(i));
        }
        return types;
    }

    @Override
    public void unparse(final SqlWriter writer, final SqlCall call, final int leftPrec, final int rightPrec)
    {
        unparse(writer, getName(), call);
    }

    /** Writes a call with its name and its operands in parentheses. */
    static void unparse(final SqlWriter writer, final String name, final SqlCall call)
    {
        final SqlWriter.Frame frame = writer.startFunCall(name);
        for (final SqlNode operand : call.getOperandList())
        {
            writer.sep(",");
            operand.unparse(writer, 0, 0);
        }
        writer.endFunCall(frame);
    }
}
