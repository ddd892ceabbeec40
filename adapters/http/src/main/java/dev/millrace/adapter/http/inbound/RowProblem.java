package dev.millrace.adapter.http.inbound;

import dev.millrace.adapter.common.decode.RejectReason;
import dev.millrace.adapter.http.property.HttpErrorCode;

/**
 * Why a row was rejected.
 *
 * @param code   of the documentation
 * @param reason name of the counter
 * @param detail the column and value, or what else helps to find the cause
 */
record RowProblem(String code, String reason, String detail)
{
    RowProblem(final RejectReason reason, final String detail)
    {
        this(reason.code(), reason.reason(), detail);
    }

    /** XML that is not well-formed, or not an event. */
    static RowProblem brokenXml(final String detail)
    {
        return new RowProblem(HttpErrorCode.BROKEN_XML.text(), "broken-xml", detail);
    }
}
