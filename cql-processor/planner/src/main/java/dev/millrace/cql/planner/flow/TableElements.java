package dev.millrace.cql.planner.flow;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.language.problem.CqlRuleException;
import dev.millrace.cql.language.problem.Message;
import dev.millrace.cql.language.semantic.CallResolver;
import dev.millrace.cql.language.semantic.SourceInfo;
import dev.millrace.cql.language.types.CqlTypes;
import dev.millrace.cql.language.types.JavaCall;
import dev.millrace.cql.language.types.JavaMember;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.stream.Stream;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.parser.SqlParserPos;

/** Determines the column that a call in {@code TABLE( )} returns. Stateless. */
final class TableElements
{
    /** Name of a column that has no alias. */
    private static final String COLUMN = "column_value";

    private final CallResolver names;

    TableElements(final CallResolver names)
    {
        this.names = names;
    }

    /**
     * The column.
     *
     * @param call     call that returns a collection
     * @param position position of the call
     * @param name     name after AS, or {@code null}
     * @param type     type after OF, or {@code null}
     * @return name, type and class of the elements
     */
    SourceInfo.Column column(
        final RexNode call, final SqlParserPos position, final SqlIdentifier name, final SqlIdentifier type)
    {
        final Class<?> known = elements(call, position);
        final Class<?> wanted = type == null ? known : named(type);
        final CqlType cql = type == null || CqlType.byName(type.toString()) == null ? CqlTypes.ofJava(wanted) :
            CqlType.byName(type.toString());
        if (known != Object.class && wanted != known && CqlTypes.ofJava(known) != cql ||
            cql == CqlType.OBJECT && !wanted.isAssignableFrom(known) && known != Object.class)
        {
            throw new CqlRuleException(Message.TABLE_TYPE, type.getParserPosition(),
                CqlTypes.ofJava(known) == CqlType.OBJECT ? known.getName() : CqlTypes.ofJava(known).cqlName(), type);
        }
        return new SourceInfo.Column(name == null ? COLUMN : name.getSimple(), cql,
            cql == CqlType.OBJECT ? wanted : cql.javaClass());
    }

    private Class<?> named(final SqlIdentifier type)
    {
        final CqlType cql = CqlType.byName(type.toString());
        final Class<?> found = cql != null ? cql.javaClass() : names.findClass(type.names);
        if (found == null)
        {
            throw new CqlRuleException(Message.UNKNOWN_TYPE, type.getParserPosition(), type);
        }
        return found;
    }

    /**
     * Class of the elements: that of an array, or the type argument of the collection that a method returns; otherwise
     * Object.
     */
    private static Class<?> elements(final RexNode call, final SqlParserPos position)
    {
        final Class<?> given = CqlTypes.javaClass(call.getType());
        if (given != null && given.isArray())
        {
            return given.getComponentType();
        }
        if (given == null || given != Object.class && !Iterable.class.isAssignableFrom(given) &&
            !Stream.class.isAssignableFrom(given))
        {
            throw new CqlRuleException(Message.TABLE_RESULT, position, given == null || given.isPrimitive() ||
                CqlTypes.ofJava(given) != CqlType.OBJECT ? CqlTypes.nameOf(call.getType()) : given.getName());
        }
        if (!(call instanceof RexCall java) || !(java.getOperator() instanceof JavaCall operator))
        {
            return Object.class;
        }
        final JavaMember target = operator.resolve(java.getOperands().stream().map(RexNode::getType).toList());
        if (target.function() != null)
        {
            return target.function().elementType();
        }
        return target.member() instanceof Method method ? elements(method.getGenericReturnType()) : Object.class;
    }

    private static Class<?> elements(final Type type)
    {
        if (type instanceof ParameterizedType known && known.getActualTypeArguments().length == 1)
        {
            final Type element = known.getActualTypeArguments()[0];
            if (element instanceof Class<?> plain)
            {
                return plain;
            }
            if (element instanceof ParameterizedType inner && inner.getRawType() instanceof Class<?> raw)
            {
                return raw;
            }
        }
        return Object.class;
    }
}
