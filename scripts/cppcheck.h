/* What cppcheck cannot see of jansson. Macros with parameters on its command line confuse its preprocessor. */
#define json_array_foreach(array, index, value) for (;;)
#define json_object_foreach(object, key, value) for (;;)
