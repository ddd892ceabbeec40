@echo off
rem Stops this server instance and waits until it has ended.
rem usage: stopwlevs.cmd [-url http://host:port] [-username NAME] [-password PASSWORD]
rem Default: port and credentials of the instance that runs from this directory.
setlocal
for %%d in ("%~dp0.") do set "domain=%%~fd"
cd /d "%domain%"
set "default_home="
for /f "tokens=1* delims==" %%a in ('findstr /b "WLEVS_HOME=" stopwlevs.sh') do set "default_home=%%~b"
rem The text of the line is ${WLEVS_HOME:-DIRECTORY}.
if not defined WLEVS_HOME set "WLEVS_HOME=%default_home:~14,-1%"
for %%d in ("%WLEVS_HOME%") do set "home=%%~fd"
if not exist "%home%\bin\millrace.cmd" (
    echo CMD-0002: home directory not found, WLEVS_HOME=%WLEVS_HOME% domain=%domain%>&2
    echo     hint: set WLEVS_HOME to the directory that contains bin, lib and bundles>&2
    exit /b 64
)
call "%home%\bin\millrace.cmd" domain stop --domain "%domain%" %*
exit /b %errorlevel%
