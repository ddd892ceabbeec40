package dev.millrace.cql.language.types;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.type.SqlTypeFactoryImpl;

/** Creates Calcite types; strings are Unicode. */
final class CqlTypeFactory extends SqlTypeFactoryImpl
{
    CqlTypeFactory()
    {
        super(new CqlTypeSystem());
    }

    @Override
    public Charset getDefaultCharset()
    {
        return StandardCharsets.UTF_8;
    }

    @Override
    public RelDataType createTypeWithNullability(final RelDataType type, final boolean nullable)
    {
        return type instanceof JavaObjectType java ? canonize(new JavaObjectType(java.javaClass(), nullable))
            : super.createTypeWithNullability(type, nullable);
    }
}
