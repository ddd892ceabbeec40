package dev.millrace.cql.language.semantic;

import dev.millrace.api.cartridge.CartridgeLinks;
import dev.millrace.cql.language.JavaClasses;
import dev.millrace.cql.language.problem.CqlRuleException;
import dev.millrace.cql.language.problem.Message;
import dev.millrace.cql.language.syntax.ForeignForms;
import dev.millrace.cql.language.types.CqlAggregate;
import dev.millrace.cql.language.types.CqlFunction;
import dev.millrace.cql.language.types.CqlMember;
import dev.millrace.cql.language.types.FunctionLookup;
import dev.millrace.cql.language.types.JavaCall;
import java.util.List;
import java.util.Locale;
import java.util.function.ToIntFunction;
import org.apache.calcite.sql.SqlBasicCall;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;

/**
 * Resolves calls by name and qualified names: to a function or aggregate of the catalog, or to Java. Columns take
 * precedence over functions, and functions over classes. Immutable.
 */
public final class CallResolver
{
    /** Resolves nothing: every call stays as it is written. */
    public static final CallResolver NOTHING =
        new CallResolver(null, JavaClasses.NONE, CartridgeLinks.NONE);

    private final FunctionLookup functions;
    private final JavaNameResolver java;

    /**
     * @param functions existing functions
     * @param classes   Java classes that rules can access
     * @param links     links of cartridges
     */
    public CallResolver(final FunctionLookup functions, final JavaClasses classes, final CartridgeLinks links)
    {
        this.functions = functions;
        java = new JavaNameResolver(classes, links);
    }

    /**
     * Resolves a call.
     *
     * @param call as written; qualified names are resolved by {@link #path}
     * @return call of a function, aggregate or member; any other call is returned unchanged
     */
    public SqlCall call(final SqlCall call)
    {
        if (functions == null)
        {
            return call;
        }
        if (call.getOperator() instanceof CqlMember member)
        {
            return new SqlBasicCall(JavaNameResolver.typed(member, call.getParserPosition()), call.getOperandList(),
                call.getParserPosition());
        }
        if (call.getOperator() == SqlStdOperatorTable.FILTER)
        {
            return filtered(call);
        }
        if (!(call.getOperator() instanceof CqlFunction function))
        {
            return call;
        }
        final CqlAggregate aggregate =
            function.isPlain() ? CqlAggregate.named(function.getName(), functions) : null;
        if (aggregate == null && function.isPlain() && functions.scalars(function.getName()).isEmpty())
        {
            final Class<?> made = java.find(function.path().names);
            if (made != null)
            {
                return new SqlBasicCall(new JavaCall(JavaCall.Kind.CONSTRUCTOR, made, "", call.getParserPosition()),
                    call.getOperandList(), call.getParserPosition());
            }
        }
        if (aggregate == null && call.getFunctionQuantifier() != null)
        {
            throw new CqlRuleException(Message.UNEXPECTED_TOKEN, call.getFunctionQuantifier().getParserPosition(),
                "'distinct'",
                "an argument of " + function.getName() + "; only aggregates can ignore duplicates");
        }
        if (aggregate == null && function.isPlain() && functions.scalars(function.getName()).isEmpty())
        {
            final String linked = java.linkHint(function.getName());
            throw function.unknown(functions).withHint(
                linked == null ? ForeignForms.call(function.getName(), call.getOperandList()) : linked);
        }
        return new SqlBasicCall(aggregate == null ? function.in(functions) : aggregate, call.getOperandList(),
            call.getParserPosition(), call.getFunctionQuantifier());
    }

    /** {@code f(x) FILTER (WHERE condition)}, where f must be an aggregate. */
    private SqlCall filtered(final SqlCall filter)
    {
        final SqlCall target = call((SqlCall) filter.operand(0));
        if (!(target.getOperator() instanceof CqlAggregate))
        {
            throw new CqlRuleException(Message.UNEXPECTED_TOKEN, filter.getParserPosition(), "'filter'",
                "an aggregate before it; " + target.getOperator().getName().toLowerCase(Locale.ROOT) +
                " is not an aggregate");
        }
        final SqlNode condition = filter.operand(1);
        return new SqlBasicCall(filter.getOperator(), List.of(target, condition), filter.getParserPosition());
    }

    /**
     * Finds a class by the parts of its name.
     *
     * @return public class that rules can access, or {@code null}
     */
    public Class<?> findClass(final List<String> names)
    {
        return java.find(names);
    }

    /**
     * Resolves a qualified name.
     *
     * @param written     name, member of a name, or call
     * @param columnParts number of leading parts of a name that are a column: 0, 1, or 2 when it is qualified
     * @return Java calls over columns as they are written, or {@code null} if it is not a Java name
     */
    public SqlNode path(final SqlNode written, final ToIntFunction<List<String>> columnParts)
    {
        return functions == null ? null : java.path(written, columnParts);
    }
}
