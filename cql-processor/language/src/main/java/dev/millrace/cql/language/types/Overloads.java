package dev.millrace.cql.language.types;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.language.problem.CqlRuleException;
import dev.millrace.cql.language.problem.Message;
import dev.millrace.cql.language.types.FunctionLookup.Signature;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.parser.SqlParserPos;

/** Selects the signature of a function with the cheapest conversions for the argument types of a call. */
public final class Overloads
{
    private static final int IMPOSSIBLE = 1_000_000;

    private Overloads()
    {
    }

    /**
     * The signature to which a call resolves.
     *
     * @param name       name, for messages
     * @param signatures all signatures
     * @param position   position of the call
     * @return the best signature; the first one if several are equally good
     * @throws CqlRuleException if none matches
     */
    public static Signature choose(
        final String name, final List<Signature> signatures, final List<RelDataType> arguments,
        final SqlParserPos position)
    {
        Signature best = null;
        int bestCost = IMPOSSIBLE;
        boolean counted = false;
        for (final Signature signature : signatures)
        {
            if (takes(signature, arguments.size()))
            {
                counted = true;
                final int cost = cost(signature, arguments);
                if (cost < bestCost)
                {
                    best = signature;
                    bestCost = cost;
                }
            }
        }
        if (best != null)
        {
            return best;
        }
        if (!counted)
        {
            throw new CqlRuleException(Message.ARGUMENT_COUNT, position, name, counts(signatures), arguments.size());
        }
        throw new CqlRuleException(Message.ARGUMENT_TYPES, position, name,
            arguments.stream().map(CqlTypes::nameOf).collect(Collectors.joining(", ")),
            signatures.stream().limit(6).map(signature -> shown(name, signature)).collect(Collectors.joining(" or ")));
    }

    private static boolean takes(final Signature signature, final int count)
    {
        final int declared = signature.arguments().size();
        return signature.variadic() ? count >= declared - 1 : count == declared;
    }

    private static int cost(final Signature signature, final List<RelDataType> arguments)
    {
        int cost = signature.variadic() ? 1 : 0;
        for (int i = 0; i < arguments.size() && cost < IMPOSSIBLE; i++)
        {
            cost += cost(arguments.get(i), signature.argument(i));
        }
        return cost;
    }

    private static int cost(final RelDataType from, final CqlType to)
    {
        final CqlType type = CqlTypes.toCql(from);
        if (type == null || type == to)
        {
            return 0;
        }
        if (CqlTypes.isDecimalLiteral(from) && to == CqlType.FLOAT)
        {
            return 1;
        }
        if (to == CqlType.OBJECT)
        {
            return 40;
        }
        if (type.isNumeric() && to.isNumeric())
        {
            // There is an additional step between integer and floating-point types, so that an integer type is
            // preferred.
            return type.ordinal() > to.ordinal() ? IMPOSSIBLE : 2 * (to.ordinal() - type.ordinal());
        }
        if (to == CqlType.CHAR && (type.isNumeric() || type == CqlType.BYTE))
        {
            return 20;
        }
        if (type == CqlType.CHAR && (to == CqlType.TIMESTAMP || to == CqlType.XMLTYPE))
        {
            return 30;
        }
        return type == CqlType.XMLTYPE && to == CqlType.CHAR ? 10 : IMPOSSIBLE;
    }

    private static String counts(final List<Signature> signatures)
    {
        final TreeSet<Integer> counts = new TreeSet<>();
        boolean variadic = false;
        for (final Signature signature : signatures)
        {
            counts.add(signature.arguments().size() - (signature.variadic() ? 1 : 0));
            variadic |= signature.variadic();
        }
        final List<String> shown = new ArrayList<>();
        counts.forEach(count -> shown.add(count.toString()));
        final boolean one = counts.size() == 1 && counts.first() == 1;
        return (variadic ? "at least " + counts.first() : String.join(" or ", shown)) +
            (one ? " argument" : " arguments");
    }

    private static String shown(final String name, final Signature signature)
    {
        return name + signature.arguments().stream().map(CqlType::cqlName)
            .collect(Collectors.joining(", ", "(", signature.variadic() ? "...)" : ")"));
    }
}
