package dev.millrace.cql.language.types;

import org.apache.calcite.sql.type.AbstractSqlType;
import org.apache.calcite.sql.type.SqlTypeName;

/** A value of CQL type object with a known Java class. Immutable. */
final class JavaObjectType extends AbstractSqlType
{
    private final Class<?> javaClass;

    JavaObjectType(final Class<?> javaClass, final boolean nullable)
    {
        super(SqlTypeName.BINARY, nullable, null);
        this.javaClass = javaClass;
        computeDigest();
    }

    Class<?> javaClass()
    {
        return javaClass;
    }

    /** Different class loaders can have classes with the same name. */
    @Override
    protected void generateTypeString(final StringBuilder text, final boolean withDetail)
    {
        text.append("JAVA(").append(javaClass.getName()).append('@')
            .append(System.identityHashCode(javaClass.getClassLoader())).append(')');
    }
}
