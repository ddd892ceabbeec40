package dev.millrace.cql.language.syntax;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.language.functions.JsonPathCheck;
import dev.millrace.cql.language.problem.CqlRuleException;
import dev.millrace.cql.language.problem.Message;
import dev.millrace.cql.language.types.CqlFunction;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.parser.SqlParserPos;

/** Parses expressions that name a type: CAST and JSON_VALUE ... RETURNING. Used for one statement. */
final class ConversionParser
{
    /** Types to which a value can be cast; each has a conversion function of the same name. */
    private static final Set<CqlType> CASTS = EnumSet.of(CqlType.INT, CqlType.BIGINT, CqlType.FLOAT, CqlType.DOUBLE,
        CqlType.BIGDECIMAL, CqlType.CHAR, CqlType.BOOLEAN, CqlType.TIMESTAMP, CqlType.INTERVAL);

    private final TokenStream tokens;
    private final ExpressionParser expressions;

    ConversionParser(final TokenStream tokens, final ExpressionParser expressions)
    {
        this.tokens = tokens;
        this.expressions = expressions;
    }

    /** {@code CAST(value AS type)} becomes the function {@code to_type(value)}. */
    SqlNode cast(final Token first)
    {
        final SqlNode value = expressions.parse();
        tokens.need("as");
        final CqlType type = castType();
        tokens.need(")");
        final SqlParserPos position = tokens.since(first);
        return expressions.callAt(CqlFunction.cast(type, position), position, value);
    }

    /** {@code json_value(text, path)} or {@code json_value(text, path RETURNING type)}. */
    SqlNode jsonValue(final Token first, final SqlIdentifier name)
    {
        final List<SqlNode> arguments = new ArrayList<>();
        do
        {
            arguments.add(expressions.argument());
        }
        while (tokens.take(","));
        final CqlType type = tokens.take("returning") ? castType() : CqlType.CHAR;
        tokens.need(")");
        final SqlParserPos position = tokens.since(first);
        JsonPathCheck.check("json_value", arguments);
        final SqlNode value = expressions.callAt(new CqlFunction(name, null), position,
            arguments.toArray(new SqlNode[0]));
        return type == CqlType.CHAR ? value : expressions.callAt(CqlFunction.cast(type, position), position, value);
    }

    /** The name of a type to which values can be cast. */
    private CqlType castType()
    {
        final Token written = tokens.peek();
        final SqlIdentifier name = tokens.name("a type");
        final CqlType type = CqlType.byName(name.getSimple());
        if (type == null)
        {
            throw new CqlRuleException(Message.UNKNOWN_TYPE, written.position(), name.getSimple());
        }
        if (!CASTS.contains(type))
        {
            throw new CqlRuleException(Message.CANNOT_CAST, written.position(), "a value", type.cqlName());
        }
        if (tokens.at("("))
        {
            throw tokens.unexpected("')'").withHint("lengths of types are not enforced; shorten a string with substr");
        }
        return type;
    }
}
