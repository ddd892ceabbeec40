package dev.millrace.cql.language.semantic;

import dev.millrace.cql.language.types.CqlAggregate;
import dev.millrace.cql.language.types.CqlFunction;
import dev.millrace.cql.language.types.FunctionLookup;
import java.util.function.UnaryOperator;
import org.apache.calcite.sql.SqlBasicCall;
import org.apache.calcite.sql.SqlCall;

/** Gives calls by name the function or aggregate that they mean; other calls it gives back. Immutable. */
public final class CallNames implements UnaryOperator<SqlCall>
{
    private final FunctionLookup functions;

    /**
     * Makes a resolver.
     *
     * @param functions what exists
     */
    public CallNames(final FunctionLookup functions)
    {
        this.functions = functions;
    }

    @Override
    public SqlCall apply(final SqlCall call)
    {
        if (!(call.getOperator() instanceof CqlFunction function))
        {
            return call;
        }
        final CqlAggregate aggregate =
            function.isPlain() ? CqlAggregate.named(function.getName(), functions) : null;
        return new SqlBasicCall(aggregate == null ? function.in(functions) : aggregate, call.getOperandList(),
            call.getParserPosition(), call.getFunctionQuantifier());
    }
}
