package dev.millrace.cql.language.types;

import dev.millrace.api.event.CqlType;
import java.lang.invoke.MethodType;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.sql.type.SqlTypeName;

/**
 * The one-to-one mapping between CQL types and Calcite types.
 *
 * <p>Calcite's {@code FLOAT} represents a decimal literal without suffix, which is converted to the floating-point type
 * of the other operand; {@code NULL} is the type of an untyped null.
 */
public final class CqlTypes
{
    /** The only type factory. */
    public static final RelDataTypeFactory FACTORY = new CqlTypeFactory();

    private CqlTypes()
    {
    }

    /** The Calcite type of a CQL type. */
    public static RelDataType toCalcite(final CqlType type, final boolean nullable)
    {
        final RelDataType plain = switch (type)
        {
            case INT -> FACTORY.createSqlType(SqlTypeName.INTEGER);
            case BIGINT -> FACTORY.createSqlType(SqlTypeName.BIGINT);
            case FLOAT -> FACTORY.createSqlType(SqlTypeName.REAL);
            case DOUBLE -> FACTORY.createSqlType(SqlTypeName.DOUBLE);
            case BIGDECIMAL -> FACTORY.createSqlType(SqlTypeName.DECIMAL);
            case CHAR -> FACTORY.createSqlType(SqlTypeName.VARCHAR);
            case BYTE -> FACTORY.createSqlType(SqlTypeName.VARBINARY);
            case BOOLEAN -> FACTORY.createSqlType(SqlTypeName.BOOLEAN);
            case TIMESTAMP -> FACTORY.createSqlType(SqlTypeName.TIMESTAMP);
            case INTERVAL -> FACTORY.createSqlType(SqlTypeName.TIME);
            case XMLTYPE -> FACTORY.createSqlType(SqlTypeName.DATE);
            case OBJECT -> FACTORY.createSqlType(SqlTypeName.BINARY);
        };
        return FACTORY.createTypeWithNullability(plain, nullable);
    }

    /**
     * The Calcite type of a CQL type with a known Java class.
     *
     * @param javaClass class of its values, relevant for objects
     * @param nullable  whether values can be null
     */
    public static RelDataType toCalcite(final CqlType type, final Class<?> javaClass, final boolean nullable)
    {
        return type != CqlType.OBJECT || javaClass == Object.class ? toCalcite(type, nullable)
            : FACTORY.createTypeWithNullability(new JavaObjectType(javaClass, false), nullable);
    }

    /**
     * The Java class of values of a type.
     *
     * @return primitive or reference class; {@code Object} if unknown, {@code null} for an untyped null
     */
    public static Class<?> javaClass(final RelDataType type)
    {
        if (type instanceof JavaObjectType java)
        {
            return java.javaClass();
        }
        final CqlType cql = toCql(type);
        return cql == null ? null : cql.javaClass();
    }

    /**
     * The CQL type of a Java class: numbers, booleans, strings, bytes and decimals, and their boxes, have corresponding
     * types; any other class is an object.
     *
     * @param javaClass class of a result
     * @return its type; {@code null} for {@code void}
     */
    public static CqlType ofJava(final Class<?> javaClass)
    {
        if (javaClass == void.class)
        {
            return null;
        }
        if (javaClass == short.class || javaClass == byte.class || javaClass == Short.class || javaClass == Byte.class)
        {
            return CqlType.INT;
        }
        if (javaClass == char.class || javaClass == Character.class)
        {
            return CqlType.CHAR;
        }
        for (final CqlType type : CqlType.values())
        {
            final Class<?> box = MethodType.methodType(type.javaClass()).wrap().returnType();
            if (type.javaClass() == javaClass || box == javaClass)
            {
                return type;
            }
        }
        return CqlType.OBJECT;
    }

    /**
     * The CQL type of a Calcite type.
     *
     * @return the type; double for a decimal literal, {@code null} for an untyped null
     */
    public static CqlType toCql(final RelDataType type)
    {
        return switch (type.getSqlTypeName())
        {
            case INTEGER -> CqlType.INT;
            case BIGINT -> CqlType.BIGINT;
            case REAL -> CqlType.FLOAT;
            case DOUBLE, FLOAT -> CqlType.DOUBLE;
            case DECIMAL -> CqlType.BIGDECIMAL;
            case VARCHAR, CHAR -> CqlType.CHAR;
            case VARBINARY -> CqlType.BYTE;
            case BOOLEAN -> CqlType.BOOLEAN;
            case TIMESTAMP -> CqlType.TIMESTAMP;
            case TIME -> CqlType.INTERVAL;
            case DATE -> CqlType.XMLTYPE;
            case BINARY -> CqlType.OBJECT;
            case NULL -> null;
            default -> throw new IllegalStateException("unsupported type, type=" + type);
        };
    }

    /**
     * Whether this is the type of a decimal literal without suffix, which is converted to the floating-point type of
     * the other operand.
     */
    public static boolean isDecimalLiteral(final RelDataType type)
    {
        return type.getSqlTypeName() == SqlTypeName.FLOAT;
    }

    /** The CQL name of a type. */
    public static String nameOf(final RelDataType type)
    {
        final CqlType cql = toCql(type);
        return cql == null ? "null" : cql.cqlName();
    }

    /**
     * The common type of two operands.
     *
     * @return their common type without null, the wider number; {@code null} if they have none
     */
    public static CqlType common(final RelDataType left, final RelDataType right)
    {
        final CqlType a = toCql(left);
        final CqlType b = toCql(right);
        if (a == null || b == null)
        {
            return a == null ? b : a;
        }
        if (a == b && !isDecimalLiteral(left) && !isDecimalLiteral(right))
        {
            return a;
        }
        if (!a.isNumeric() || !b.isNumeric())
        {
            return a == b ? a : null;
        }
        if (isDecimalLiteral(left) && b == CqlType.FLOAT || isDecimalLiteral(right) && a == CqlType.FLOAT)
        {
            return CqlType.FLOAT;
        }
        return a.ordinal() >= b.ordinal() ? a : b;
    }

    /**
     * The type in which two operands are compared.
     *
     * @return their common type; char for a char and a number, the time for a char and a time; {@code null} if they
     *     cannot be compared
     */
    public static CqlType comparable(final RelDataType left, final RelDataType right)
    {
        final CqlType common = common(left, right);
        final CqlType a = toCql(left);
        final CqlType b = toCql(right);
        if (common != null || a == null || b == null)
        {
            return common;
        }
        final CqlType other = a == CqlType.CHAR ? b : b == CqlType.CHAR ? a : null;
        if (other == null)
        {
            return null;
        }
        return other.isNumeric() ? CqlType.CHAR
            : other == CqlType.TIMESTAMP || other == CqlType.INTERVAL ? other : null;
    }

    /**
     * The type of an expression that returns one of two values.
     *
     * @return their common type; char for a char and a number; {@code null} if they have none
     */
    public static CqlType branch(final RelDataType left, final RelDataType right)
    {
        return comparable(left, right);
    }
}
