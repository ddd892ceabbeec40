package dev.millrace.cql.language.types;

import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.rel.type.RelDataTypeSystemImpl;
import org.apache.calcite.sql.type.SqlTypeName;

/** Limits of types in CQL. */
final class CqlTypeSystem extends RelDataTypeSystemImpl
{
    @Override
    public int getMaxPrecision(final SqlTypeName typeName)
    {
        return typeName == SqlTypeName.DECIMAL ? 1_000 : super.getMaxPrecision(typeName);
    }

    @Override
    public RelDataType deriveSumType(final RelDataTypeFactory factory, final RelDataType argumentType)
    {
        return argumentType;
    }
}
